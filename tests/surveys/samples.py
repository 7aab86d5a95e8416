"""A small survey with two questions, shared by tests."""

import asyncio

import httpx

from tightrope import surveys as sv
from tightrope.exact import Level
from tightrope.surveys import SurveyStore
from tightrope.surveys.survey_store import NewSurvey, write_survey
from tightrope.web import Origins

HERE = "http://test"


def small_survey(groups=("all",)):
    yes_no, three = sv.warner("3/4"), sv.k_ary(("never", "once", "often"), 3)
    return sv.survey_of(
        "A <b>small</b> survey",
        [("Ever?", yes_no, sv.prove(yes_no, Level.ratio(3))),
         ("How often?", three, sv.prove(three, Level.ratio(3)))],
        groups=groups,
    )


def new_store(folder, survey, owner, links, *, keys=None):
    """The store of a new survey in a folder, with these links (token to group)."""
    named = tuple(question.key for question in survey.questions) if keys is None else keys
    new = NewSurvey(sv.survey_bytes(survey), survey.digest, owner, links, HERE, named)
    places = [folder / name for name in ("s.json", "s.answers", "s.links.csv")]
    write_survey(*places, new, force=False)
    places[2].unlink()
    return SurveyStore(places[1], survey.digest)


class Client:
    """Requests to the application of a survey in this process; cookies are not kept."""

    def __init__(self, survey, store):
        app = sv.survey_application(survey, store, Origins.of(HERE))
        self.transport = httpx.ASGITransport(app)

    def __call__(self, method, path, **options):
        async def asked():
            async with httpx.AsyncClient(transport=self.transport, base_url=HERE) as made:
                return await made.request(method, path, **options)

        return asyncio.run(asked())

    def get(self, path, **options):
        return self("GET", path, **options)

    def post(self, path, **options):
        return self("POST", path, **options)
