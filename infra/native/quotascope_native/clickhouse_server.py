"""A genuine ClickHouse server out of the chdb-core wheel.

The wheel embeds the whole server. Its local session opens the HTTP and native listeners and then
waits in a query that never ends; SIGTERM ends that query and with it the server.
"""

import argparse
import importlib.util
import os
import signal
import sys
import threading
import urllib.request
from pathlib import Path

# The query sleeps one second a row; the id lets us end exactly this one.
WAITING_MARK = "quotascope waits here"
SESSION = (
    "SYSTEM START LISTEN HTTP; SYSTEM START LISTEN TCP; "
    f"SELECT /* {WAITING_MARK} */ count() FROM numbers(1000000000000) WHERE sleepEachRow(1) "
    "SETTINGS max_block_size=1, function_sleep_max_microseconds_per_block=0, max_execution_time=0"
)
STOP_WITHIN_S = 20


def load_engine():
    """Load the extension file itself: `import chdb` first would leave process-wide parts shut down."""
    folders = importlib.util.find_spec("chdb").submodule_search_locations
    file = next(Path(folder) / "_chdb.abi3.so" for folder in folders)
    spec = importlib.util.spec_from_file_location("_chdb", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def end_session(url: str, password_file: Path) -> None:
    """Ask the running server, as admin, to end the waiting query."""
    statement = f"KILL QUERY WHERE query LIKE '%{WAITING_MARK}%' AND query NOT LIKE 'KILL%' ASYNC"
    request = urllib.request.Request(url, data=statement.encode(), method="POST")
    request.add_header("X-ClickHouse-User", "admin")
    request.add_header("X-ClickHouse-Key", password_file.read_text())
    urllib.request.urlopen(request, timeout=STOP_WITHIN_S).read()


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--path", required=True)
    parser.add_argument("--url", required=True)
    parser.add_argument("--password-file", type=Path, required=True)
    options = parser.parse_args()
    # Signals are taken by sigwait only: the engine installs handlers of its own.
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT})
    engine = load_engine()
    failure: list[BaseException] = []

    def serve() -> None:
        try:
            engine.query(SESSION, "TSV", path=options.path)
        except BaseException as error:
            failure.append(error)
        # Wakes the main thread when the engine ends by itself.
        os.kill(os.getpid(), signal.SIGTERM)

    session = threading.Thread(target=serve, daemon=True)
    session.start()
    signal.sigwait({signal.SIGTERM, signal.SIGINT})
    if session.is_alive():
        try:
            end_session(options.url, options.password_file)
            session.join(STOP_WITHIN_S)
        except OSError as error:
            print(f"the session could not be ended: {error}", file=sys.stderr)
        # MergeTree parts are complete on disk once an INSERT returned; what is left is process teardown.
        os._exit(0)
    print(f"ClickHouse ended by itself: {failure[0] if failure else 'no error given'}", file=sys.stderr)
    os._exit(1)


if __name__ == "__main__":
    sys.exit(main())
