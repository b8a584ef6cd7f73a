"""What teaching the networks of every eye shares: the loop, the calibration, the file that OpenCV reads."""

IGNORED = -1  # the label of what nothing is to be learnt from
