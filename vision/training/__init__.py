"""Makes the files in ``vision/models``: ``python -m vision.training``; needs the extra ``train``."""
