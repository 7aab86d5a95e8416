"""A small survey with two questions, shared by tests."""

import asyncio

import httpx

from tightrope import surveys as sv
from tightrope.exact import Level
from tightrope.surveys import SurveyStore
from tightrope.surveys.languages import ENGLISH, PLACEHOLDER, Language
from tightrope.surveys.new_store import NewSurvey, write_survey
from tightrope.surveys.questions import private_question
from tightrope.surveys.survey_file import Survey, survey_bytes
from tightrope.surveys.words import Words, question_words
from tightrope.web import Origins

HERE = "http://test"


def survey_of(title, questions, groups=("all",)):
    """A survey from texts, designs and their proofs; questions are named q1, q2, …"""
    asked = [private_question(f"q{i}", *parts) for i, parts in enumerate(questions, start=1)]
    return Survey(title, "", tuple(asked), tuple(groups))


def small_survey(groups=("all",)):
    yes_no, three = sv.warner("3/4"), sv.k_ary(("never", "once", "often"), 3)
    return survey_of(
        "A <b>small</b> survey",
        [("Ever?", yes_no, sv.prove(yes_no, Level.ratio(3))),
         ("How often?", three, sv.prove(three, Level.ratio(3)))],
        groups=groups,
    )


def study_of_every_kind():
    """The fields of a study with a question of every kind, and branches on a branch."""
    return {
        "title": "Work", "epsilon": 4, "links": 30,
        "questions": [
            {"key": "taken", "text": "Have you ever taken something?", "refuse": True},
            {"key": "often", "text": "How often?", "kind": "scale",
             "answers": ["once", "sometimes", "often"], "ask_if": {"taken": ["yes"]}},
            {"key": "hours", "text": "Hours of overtime a week?", "kind": "numeric",
             "bins": ["0", "2.5", "5", "7.5", "10", "12", "14", "16", "18", "20", "25", "30", "40"],
             "outside": "refuse", "unit": "hours", "refuse": True},
            {"key": "age", "text": "Your age?", "answers": ["young", "old"], "clear": True},
            {"key": "lied", "text": "Ever lied in an application?", "kind": "crosswise",
             "second": {"text": "Is your mother's birthday in January or February?",
                        "prevalence": ["0.15", "0.18"]}},
            {"key": "drunk", "text": "Ever driven drunk?", "kind": "unrelated",
             "second": {"text": "Is your house number even?", "prevalence": ["0.45", "0.55"]}},
            {"key": "why", "text": "Was it worth much?", "ask_if": {"often": "often"}},
        ],
    }


def mirrored(text):
    """A text in Hebrew letters, around the same values in braces."""
    kept = PLACEHOLDER.split(text)  # between two texts, the name of a value
    turned = ["".join(chr(0x5D0 + ord(c) % 27) if c.isalpha() else c for c in part)
              if i % 2 == 0 else f"{{{part}}}" for i, part in enumerate(kept)]
    return "\N{HEBREW LETTER ALEF}" + "".join(turned)


def pseudo():
    """A language from right to left: each sentence in Hebrew letters, around the same values."""
    plain = ("language.", "number.")
    sentences = {
        key: sentence if key.startswith(plain)
        else mirrored(sentence) if isinstance(sentence, str)
        else {form: mirrored(text) for form, text in sentence.items()}
        for key, sentence in ENGLISH.sentences.items()}
    return Language("ar", {**sentences, "language.name": "\N{HEBREW LETTER ALEF}",
                            "language.direction": "rtl"})


def new_store(folder, survey, owner, links, *, keys=None, **fielding):
    """The store of a new survey in a folder, with these links (token to group)."""
    named = tuple(question.key for question in survey.questions) if keys is None else keys
    new = NewSurvey(survey_bytes(survey), survey.digest, owner, links, HERE, named, **fielding)
    places = [folder / name for name in ("s.json", "s.answers", "s.links.csv")]
    write_survey(*places, new, force=False)
    places[2].unlink()
    return SurveyStore(places[1], survey.digest)


class Client:
    """Requests to the application of a survey in this process; cookies are not kept."""

    def __init__(self, survey, store, **options):
        app = sv.survey_application(survey, store, Origins.of(HERE), **options)
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


def own_words(survey, language):
    """The words of a survey as its file has them, as if its texts were in this language."""
    questions = {question.key: question_words(question, language) for question in survey.questions}
    return Words(language, survey.title, survey.about, questions)
