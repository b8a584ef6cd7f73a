"""``python -m companion`` is ``stationmaster``."""

from companion.cli import main

raise SystemExit(main())
