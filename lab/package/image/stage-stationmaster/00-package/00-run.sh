#!/bin/bash -e
# The one package there is in files/; apt brings what it depends on and recommends.
install -m 644 files/stationmaster_*_arm64.deb "${ROOTFS_DIR}/tmp/"
on_chroot << CHROOT
apt-get install -y --install-recommends /tmp/stationmaster_*_arm64.deb
rm /tmp/stationmaster_*_arm64.deb
apt-get clean
CHROOT
