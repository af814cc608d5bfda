"""A network that can be cut: a TCP forwarder on loopback between the jobs and a server."""

import contextlib
import enum
import select
import socket
import threading
import time

CHUNK = 1 << 16
LOOKS_EVERY_S = 0.2


class Cable(enum.Enum):
    """What the network does with bytes."""

    WHOLE = "whole"
    # Connections break and new ones are refused.
    CUT = "cut"
    # Bytes are swallowed and nobody is told: a firewall that drops, a switch that hangs.
    SILENT = "silent"
    # Requests arrive; the connection breaks before the first byte of an answer comes back.
    NO_ANSWER = "no answer"


class Proxy:
    """Forwards connections of one port to another one, as long as the cable is whole."""

    def __init__(self, target_port: int, port: int = 0):
        self.target_port = target_port
        self.cable = Cable.WHOLE
        # How many answers were swallowed: proof that the fault struck.
        self.answers_lost = 0
        self._socket = socket.create_server(("127.0.0.1", port), backlog=128)
        self.port: int = self._socket.getsockname()[1]
        self._open = True
        threading.Thread(target=self._accept, daemon=True, name=f"proxy-{self.port}").start()

    def close(self) -> None:
        self._open = False
        self._socket.close()

    def _accept(self) -> None:
        while self._open:
            try:
                client, _ = self._socket.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with contextlib.suppress(OSError), client:
            if self.cable is Cable.CUT:
                return
            with socket.create_connection(("127.0.0.1", self.target_port), timeout=5) as server:
                self._forward(client, server)

    def _forward(self, client: socket.socket, server: socket.socket) -> None:
        for end in (client, server):
            end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        while self._open:
            if self.cable is Cable.CUT:
                return
            if self.cable is Cable.SILENT:
                time.sleep(LOOKS_EVERY_S)
                continue
            readable, _, _ = select.select([client, server], [], [], LOOKS_EVERY_S)
            # The cable may have broken while this waited: what arrived since is lost with it.
            if self.cable not in (Cable.WHOLE, Cable.NO_ANSWER):
                continue
            for end in readable:
                octets = end.recv(CHUNK)
                if not octets:
                    return
                if end is server and self.cable is Cable.NO_ANSWER:
                    self.answers_lost += 1
                    return
                (server if end is client else client).sendall(octets)
