"""An object store on loopback that speaks as much of S3 as Daft asks of it."""

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit


class _Handler(BaseHTTPRequestHandler):
    """Objects by `/bucket/key`; `server.objects` holds them."""

    protocol_version = "HTTP/1.1"

    def do_PUT(self) -> None:
        data = self.rfile.read(int(self.headers["Content-Length"]))
        self.objects[self.key] = data
        self._reply(200, b"")

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        asked = parse_qs(urlsplit(self.path).query)
        if "list-type" in asked:
            self._reply(200, self._listing(asked.get("prefix", [""])[0]))
            return
        data = self.objects.get(self.key)
        if data is None:
            self._reply(404, b"<Error><Code>NoSuchKey</Code></Error>")
            return
        wanted = re.fullmatch(r"bytes=(\d*)-(\d*)", self.headers.get("Range", ""))
        if wanted is None:
            self._reply(200, data)
            return
        first = int(wanted[1]) if wanted[1] else len(data) - int(wanted[2])
        stop = int(wanted[2]) + 1 if wanted[1] and wanted[2] else len(data)
        part = data[first:stop]
        self._reply(206, part, f"bytes {first}-{first + len(part) - 1}/{len(data)}")

    @property
    def key(self) -> str:
        return unquote(urlsplit(self.path).path)

    @property
    def objects(self) -> dict[str, bytes]:
        held: dict[str, bytes] = vars(self.server)["objects"]
        return held

    def _listing(self, prefix: str) -> bytes:
        bucket = self.key.rstrip("/") + "/"
        keys = [key.removeprefix(bucket) for key in sorted(self.objects)]
        listed = "".join(
            f"<Contents><Key>{key}</Key><Size>{len(self.objects[bucket + key])}</Size></Contents>"
            for key in keys
            if key.startswith(prefix)
        )
        told = f"<ListBucketResult><IsTruncated>false</IsTruncated>{listed}</ListBucketResult>"
        return told.encode()

    def _reply(self, status: int, body: bytes, span: str = "") -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("ETag", '"1"')
        if span:
            self.send_header("Content-Range", span)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *_said: object) -> None:
        pass


@contextmanager
def object_store() -> Iterator[tuple[str, dict[str, bytes]]]:
    """Serve an empty store; yield its address and its objects."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    objects: dict[str, bytes] = {}
    vars(server)["objects"] = objects
    serving = threading.Thread(target=server.serve_forever, daemon=True)
    serving.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", objects
    finally:
        server.shutdown()
        server.server_close()
        serving.join()
