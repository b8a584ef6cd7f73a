"""The bot of Derailed!: lays the card that brings it nearest and throws the others back most."""
