"""The hub of a club: many boxes, one evening.

It keeps what boxes tell it (:mod:`hub.intake.ledger`), the organiser's own log (:mod:`hub.storage.log`), and
shows both. It has no state of its own beside the database, so several processes may serve one club.
"""
