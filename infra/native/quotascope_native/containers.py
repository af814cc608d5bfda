"""What the container deployment borrows from the native one: its topics and its generated secrets."""

import argparse
import sys
from pathlib import Path

from quotascope_native import credentials
from quotascope_native.failure import StackFailure

PASSWORDS = "clickhouse_passwords.xml"


def write_secrets(folder: Path) -> None:
    """One file a secret, plus the users.d file of hashes. What exists is kept, so that a login survives."""
    folder.mkdir(parents=True, exist_ok=True)
    credentials.ensure(folder)
    # Containers read the files as other users than the one who runs this; the folder is what closes them to strangers.
    folder.chmod(0o700)
    for name in credentials.NAMES:
        (folder / name).chmod(0o644)
    (folder / PASSWORDS).write_text(credentials.clickhouse_passwords_xml(folder))
    print(f"secrets are in {folder}; set QUOTASCOPE_SECRETS to it")


def create_topics(bootstrap: str) -> None:
    """Imported here: the secrets are generated on a bare host, where no Kafka client is installed."""
    from quotascope_native import topics

    topics.create(bootstrap)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="quotascope_native.containers", description=__doc__)
    commands = parser.add_subparsers(required=True)
    create = commands.add_parser("topics", help="create the topics of schemas/topics.yaml")
    create.add_argument("bootstrap", help="address of a broker, host:port")
    create.set_defaults(action=lambda options: create_topics(options.bootstrap))
    secrets = commands.add_parser("secrets", help="generate every password that docker-compose.yml needs")
    secrets.add_argument("folder", type=Path)
    secrets.set_defaults(action=lambda options: write_secrets(options.folder))
    options = parser.parse_args(arguments)
    try:
        options.action(options)
    except StackFailure as failure:
        print(failure.line(), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
