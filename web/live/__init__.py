"""Live updates: server-sent events, the club's hub, and idempotent POST requests."""
