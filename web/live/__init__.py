"""What others are told while it happens: server-sent events, and the club's hub; a POST is answered once."""
