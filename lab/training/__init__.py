"""What the training of all readers shares: the loop, the calibration, the file that OpenCV reads."""

IGNORED = -1  # the label of what nothing is to be learnt from
