"""A box in a club: what it sends to the club's hub, when, and signed by whom.

The box stays the only writer of its own table. Of the matches whose host said so it tells the hub what
watchers may see, in order, and again until the hub has it. Nothing is stored for that: the matches are in the
store, and how far the hub has come says the hub.
"""
