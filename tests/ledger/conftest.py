"""Where ledgers of tests are: in a SQLite file, and in a PostgreSQL server of their own."""

import pytest

from tests.systems import postgres
from tightrope.samplers import token


@pytest.fixture(scope="module")
def database():
    with postgres.server() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request, tmp_path):
    """Where a ledger can be, and the file of its key."""
    if request.param == "sqlite":
        return {"url": tmp_path / "l.sqlite", "key": tmp_path / "key"}
    url = own_schema(request.getfixturevalue("database"), "s" + token().replace("-", "_").lower())
    return {"url": url, "key": tmp_path / "key"}


def own_schema(url, name):
    """The address of a new schema of a database."""
    from sqlalchemy import create_engine

    engine = create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
    with engine.begin() as connection:
        connection.exec_driver_sql(f'CREATE SCHEMA "{name}"')
    engine.dispose()
    return f"{url}&options=-csearch_path%3D{name}"
