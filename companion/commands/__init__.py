"""What the commands of ``stationmaster`` do, a module each, and what several of them share."""
