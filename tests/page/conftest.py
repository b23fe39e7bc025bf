"""The page without a browser: the whole application, called in this process."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tacit.page.app import make_app
from tacit.page.desk import Desk
from tacit.page.folder import Folder

TOKEN = "k7Q-token"
HOST = "127.0.0.1:8000"


@dataclass
class Caller:
    """Calls the page as its own browser would."""

    client: TestClient
    desk: Desk
    folder: Path

    def get(self, path: str, **fields: str):
        return self.client.get(f"/{TOKEN}/{path}", params=fields)

    def post(self, path: str, fields: dict[str, str], *, follow: bool = True):
        headers = {"origin": f"http://{HOST}", "sec-fetch-site": "same-origin"}
        return self.client.post(
            f"/{TOKEN}/{path}", data=fields, headers=headers, follow_redirects=follow
        )


@pytest.fixture
def caller(tmp_path: Path) -> Iterator[Caller]:
    (tmp_path / "data").mkdir()
    with ThreadPoolExecutor(1) as pool, ThreadPoolExecutor(2) as runner:
        desk = Desk(token=TOKEN, pool=pool, runner=runner, folder=Folder(tmp_path / "data"))
        app = make_app(desk, hosts=frozenset((HOST, "localhost:8000")))
        yield Caller(TestClient(app, base_url=f"http://{HOST}"), desk, tmp_path / "data")
