"""Where a hub keeps everything: the database, its versions, and the organiser's log."""
