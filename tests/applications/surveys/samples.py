"""A small survey with two questions, shared by tests."""

import asyncio

import httpx

from tightrope.applications import surveys as sv
from tightrope.exact import Level


def small_survey(groups=("all",)):
    yes_no, three = sv.warner("3/4"), sv.k_ary(("never", "once", "often"), 3)
    return sv.survey_of(
        "A <b>small</b> survey",
        [("Ever?", yes_no, sv.prove(yes_no, Level.ratio(3))),
         ("How often?", three, sv.prove(three, Level.ratio(3)))],
        groups=groups,
    )


class Client:
    """Requests to an application in this process; cookies are not kept."""

    def __init__(self, app):
        self.transport = httpx.ASGITransport(app, raise_app_exceptions=False)

    def __call__(self, method, path, **options):
        async def asked():
            async with httpx.AsyncClient(transport=self.transport, base_url="http://test") as made:
                return await made.request(method, path, **options)

        return asyncio.run(asked())

    def get(self, path, **options):
        return self("GET", path, **options)

    def post(self, path, **options):
        return self("POST", path, **options)
