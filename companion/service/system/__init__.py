"""The machine under the service: addresses, settings, clock, disk, backups, updates, doctor."""
