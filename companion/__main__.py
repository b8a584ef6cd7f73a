"""``python -m companion`` is ``stationmaster``."""

import sys

from companion.machine import machine_fault

if fault := machine_fault():  # before anything is imported that such a machine does not have
    sys.stderr.write(f"stationmaster: {fault}\n")
    raise SystemExit(2)

from companion.cli import main

raise SystemExit(main())
