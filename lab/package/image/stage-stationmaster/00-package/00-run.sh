#!/bin/bash -e
# The one package there is in files/; apt brings what it depends on and recommends.
install -d "${ROOTFS_DIR}/var/cache/stationmaster"
install -m 644 files/stationmaster_*_arm64.deb "${ROOTFS_DIR}/var/cache/stationmaster/"
on_chroot << CHROOT
apt-get install -y --install-recommends /var/cache/stationmaster/stationmaster_*_arm64.deb
CHROOT
