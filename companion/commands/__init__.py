"""What the commands of ``stationmaster`` do, a module for each group of them."""
