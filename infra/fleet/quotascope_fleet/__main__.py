"""The command behind `make fleet-week`."""

import sys

from quotascope_fleet.command import main

sys.exit(main(sys.argv[1:]))
