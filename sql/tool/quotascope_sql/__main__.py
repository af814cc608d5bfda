"""`python -m quotascope_sql`."""

import sys

from quotascope_sql.cli import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
