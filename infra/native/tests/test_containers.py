"""The secrets of the container deployment."""

import hashlib

from quotascope_native import containers, credentials


def test_every_secret_that_compose_mounts_is_generated_once(tmp_path):
    folder = tmp_path / "secrets"
    containers.main(["secrets", str(folder)])
    first = {file.name: file.read_text() for file in folder.iterdir()}
    assert set(first) == {*credentials.NAMES, containers.PASSWORDS}
    containers.main(["secrets", str(folder)])
    assert {file.name: file.read_text() for file in folder.iterdir()} == first


def test_passwords_reach_the_server_as_hashes_only_and_the_folder_is_closed(tmp_path):
    folder = tmp_path / "secrets"
    containers.write_secrets(folder)
    declared = (folder / containers.PASSWORDS).read_text()
    for user in credentials.CLICKHOUSE_USERS:
        password = credentials.read(folder, f"clickhouse_{user}")
        assert password not in declared
        assert hashlib.sha256(password.encode()).hexdigest() in declared
    assert folder.stat().st_mode & 0o077 == 0
