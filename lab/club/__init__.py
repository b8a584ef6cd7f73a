"""Club nights on one machine: real servers, boxes with the real outbox, watchers."""
