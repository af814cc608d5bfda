"""`python -m quotascope_native`."""

import sys

from quotascope_native.cli import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
