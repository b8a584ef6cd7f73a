"""Made-up boards (``boards``, ``art``), pieces with height (``pieces``), photographs (``shots``)."""
