"""`tightrope verify` of a survey's file: every proof in it, and the fingerprint of its page."""

import json

import pytest

from tests.cli.runner import Runner
from tests.surveys.samples import study_of_every_kind
from tightrope import surveys as sv
from tightrope.documents import digest_of
from tightrope.errors import NotIntact, NotOptimal, NotPrivate


@pytest.fixture
def tightrope(capsys):
    return Runner(capsys)


@pytest.fixture
def made(tmp_path):
    return sv.create_survey(tmp_path / "s.json", sv.read_study(study_of_every_kind()))


def forged(file, change):
    """The file with a changed content, a digest that fits, and digests of mechanisms that do."""
    content = json.loads(file.read_text(encoding="utf-8"))
    content.pop("digest")
    change(content)
    for question in content["questions"]:
        if question["mechanism"] is not None:
            question["mechanism"].pop("digest")
            question["mechanism"]["digest"] = digest_of(question["mechanism"])
    file.write_text(json.dumps({**content, "digest": digest_of(content)}), encoding="utf-8")
    return file


def test_every_question_is_proved_again_and_the_page_has_the_fingerprint_of_new(made):
    verdict = sv.verify_survey(made.file)
    assert verdict.holds
    assert verdict.code_sha256 == made.code_sha256
    assert [key for key, _ in verdict.reviews] == [q.key for q in made.survey.private]
    for key, review in verdict.reviews:
        question = next(q for q in made.survey.questions if q.key == key)
        assert review.claim.compare_level(question.level) == 0
    shown = verdict.facts().json
    assert [row["key"] for row in shown["questions"]] == [q.key for q in made.survey.questions]
    assert [row["holds"] for row in shown["questions"]] == [
        None if q.clear else True for q in made.survey.questions]


def test_a_best_design_is_proved_best_and_a_better_claim_is_refused(tmp_path):
    design = sv.best_design("abcd", 1, aim="mean").design
    file = sv.create_survey(tmp_path / "b.json", [("How often?", design)], 1, links=1).file
    (_, review), = sv.verify_survey(file).reviews
    assert review.optimal
    assert review.optimality.gap < 0.1

    def boast(content):
        claim = content["questions"][0]["mechanism"]["optimality"]
        claim["bound"] = claim["value"]

    with pytest.raises(NotOptimal):
        sv.verify_survey(forged(file, boast))


def test_a_milder_level_than_the_weights_have_is_refused(tmp_path, tightrope):
    file = sv.create_survey(tmp_path / "w.json", [("Ever?", sv.warner("3/4"))], "ln(3)").file
    again = sv.create_survey(tmp_path / "v.json", [("Ever?", sv.warner("2/3"))], "ln(2)").file
    mild = json.loads(again.read_text(encoding="utf-8"))["questions"][0]["mechanism"]["claim"]
    forged(file, lambda content: content["questions"][0]["mechanism"].update(claim=mild))
    with pytest.raises(NotPrivate):
        sv.verify_survey(file)
    assert tightrope("verify", file).code == 1


def test_a_changed_text_is_noticed(made, tightrope):
    changed = made.file.read_text(encoding="utf-8").replace(made.survey.title, "Another", 1)
    made.file.write_text(changed, encoding="utf-8")
    with pytest.raises(NotIntact):
        sv.verify_survey(made.file)
    assert tightrope("verify", made.file).code == 1


def test_a_survey_is_judged_by_its_own_claims(made, tightrope):
    assert tightrope("verify", made.file).code == 0
    answer = tightrope("verify", made.file, "--epsilon", 1)
    assert (answer.code, "own claims" in answer.sentence) == (2, True)
