"""The pages as a program sees them: what is taken, what is refused, what is kept."""

import json
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from tests.surveys.samples import HERE, Client, new_store, small_survey, survey_of
from tightrope import surveys as sv
from tightrope.documents import compose, digest_of, render
from tightrope.errors import BadDocument, BadInput, NotIntact, SystemFailed
from tightrope.exact import Level, Weights
from tightrope.mechanisms import MatrixMechanism
from tightrope.privacy import certified
from tightrope.spaces import graph, matrix
from tightrope.surveys import SurveyStore
from tightrope.surveys.label import promise, question_label, total_promise
from tightrope.surveys.page_code import thresholds
from tightrope.surveys.survey_file import survey_bytes
from tightrope.surveys.survey_store import Submission
from tightrope.web import code_asset
from tightrope.web.shell import HEADERS

LINKS = {"link-a": "north", "link-b": "south", "link-c": "north"}
OWNER = "the-owner"
JSON = {"content-type": "application/json"}


@pytest.fixture
def survey():
    return small_survey(("north", "south"))


@pytest.fixture
def store(survey, tmp_path):
    with new_store(tmp_path, survey, OWNER, LINKS) as made:
        yield made


@pytest.fixture
def client(survey, store):
    return Client(survey, store)


def body(token="link-a", consent=True, receipt="0" * 32, **responses):
    return {"token": token, "consent": consent, "receipt": receipt,
            "responses": {"q1": 1, "q2": 1, **responses}}


def test_an_answer_is_stored_once_and_sent_again_it_is_told_received(client, store):
    assert client.post("/answer", json=body()).json() == {"stored": True, "already": False}
    again = client.post("/answer", json=body())
    assert again.status_code == 200
    assert again.json() == {"stored": True, "already": True}
    other = client.post("/answer", json=body(receipt="1" * 32, q1=0))
    assert other.status_code == 409
    assert "already received" in other.json()["error"]
    assert "not stored" in other.json()["error"]
    assert "already received" in client.get("/r/link-a").text
    store.finish()
    assert client.post("/answer", json=body()).json()["already"] is True
    assert "already received" in client.get("/r/link-a").text
    (kept,) = store.answers()
    assert (kept.group, dict(kept.responses)) == ("north", {"q1": 1, "q2": 1})
    assert store.links() == {"north": (2, 1), "south": (1, 0)}


@pytest.mark.parametrize("content", [
    b"", b"{", b"[]", b"3", b'"x"', b"\xff\xfe", b"[" * 5000,
    *(json.dumps(one).encode() for one in [
        {}, {**body(), "answer": "true yes"}, {**body(), "responses": {}},
        {**body(), "receipt": 7}, body(receipt="x"), body(receipt="0" * 33),
        {**body(), "token": 7}, {**body(), "token": "x" * 200}, body(q1="yes"), body(q1=2),
        body(q1=-1), body(q1=True), body(q1=1.0), body(q1=None), body(q1=[1]), body(q3=0),
        {**body(), "responses": "yes"},
    ]),
    b"x" * 100_000,
])
def test_a_malformed_post_is_a_400_with_a_sentence(client, store, content):
    answer = client.post("/answer", content=content, headers=JSON)
    assert answer.status_code == 400
    assert list(answer.json()) == ["error"]
    assert answer.json()["error"].endswith(".")
    assert store.answers() == []


@pytest.mark.parametrize("consent", [False, None, "yes", 1])
def test_no_answer_is_taken_before_consent(client, store, consent):
    answer = client.post("/answer", json=body(consent=consent))
    assert answer.status_code == 400
    assert "consent" in answer.json()["error"]
    assert store.link("link-a").state == "open"


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_a_form_of_another_site_cannot_post_an_answer(client, store, kind):
    content = json.dumps(body()).encode()
    answer = client.post("/answer", content=content, headers={"content-type": kind})
    assert answer.status_code == 400
    assert "application/json" in answer.json()["error"]
    assert store.answers() == []


def test_wrong_tokens_lock_nobody_out_and_no_body_is_read_whole(client):
    codes = [client.post("/results", content="token=guess").status_code for _ in range(70)]
    assert codes == [401] * 60 + [429] * 10
    assert client.post("/results", content=f"token={OWNER}").status_code == 200
    assert client.post("/results", content=b"x" * 100_000).status_code == 400
    long = {client.get("/r/" + "x" * 5000).status_code for _ in range(40)}
    assert long == {404}  # such a token is not kept to be counted


@pytest.mark.parametrize("error", [SystemFailed("/secret/path is full."), ZeroDivisionError()])
def test_a_failure_of_the_disk_is_told_without_paths_and_nobody_waits(
    survey, store, monkeypatch, error
):
    def fail(_):
        raise error

    monkeypatch.setattr(store, "accept", fail)
    client = Client(survey, store)
    answer = client.post("/answer", json=body())
    assert answer.status_code >= 500
    assert list(answer.json()) == ["error"]
    for name in HEADERS:
        assert name in answer.headers
    assert "secret" not in answer.text
    monkeypatch.undo()
    assert client.post("/answer", json=body()).status_code == 201


def test_unknown_links_and_closed_surveys_are_refused(client, store):
    assert client.get("/r/nobody").status_code == 404
    assert client.post("/answer", json=body("nobody")).status_code == 404
    store.finish()
    assert client.get("/r/link-a").status_code == 410
    closed = client.post("/answer", json=body())
    assert closed.status_code == 410
    assert "closed" in closed.json()["error"]
    assert store.answers() == []


def test_requests_of_one_link_are_limited(client):
    codes = [client.get("/r/link-a").status_code for _ in range(40)]
    assert codes[:30] == [200] * 30
    assert codes[30:] == [429] * 10
    assert client.get("/r/link-b").status_code == 200


def test_posts_with_one_link_are_limited_and_the_answer_is_stored_once(client, store):
    codes = [client.post("/answer", json=body()).status_code for _ in range(40)]
    assert codes == [201] + [200] * 29 + [429] * 10
    assert len(store.answers()) == 1
    assert client.post("/answer", json=body("link-b")).status_code == 201


def test_the_results_need_the_owners_token(client):
    assert client.get("/results").status_code == 401
    assert client.get("/results.json").status_code == 401
    assert client.post("/close").status_code == 401
    wrong = {"authorization": "Bearer guess"}
    assert client.get("/results.json", headers=wrong).status_code == 401
    assert client.post("/results", content="token=guess").status_code == 401
    right = {"authorization": f"Bearer {OWNER}"}
    client.post("/answer", json=body())
    found = client.get("/results.json", headers=right).json()
    assert found["answers"] == 1
    page = client.get("/results", headers=right)
    assert page.status_code == 200
    assert "A &lt;b&gt;small" in page.text
    entered = client.post("/results", content=f"token={OWNER}")
    assert entered.text == page.text
    assert "set-cookie" not in entered.headers  # a cookie goes to every port of the host
    assert OWNER not in entered.text


def test_a_survey_is_closed_by_who_types_the_token_again(client, store):
    assert client.post("/close", content="token=guess").status_code == 401
    assert not store.closed
    assert "the survey is closed" in client.post("/close", content=f"token={OWNER}").text
    assert store.closed


@pytest.mark.parametrize("origin", [
    "http://test:8001", "https://test", "http://evil.example", "null", "http://test.evil.example",
])
def test_a_page_of_another_origin_posts_nothing_with_any_token(client, store, origin):
    """Another port of the same host is another origin, though cookies make no difference."""
    for path, content in (("/close", f"token={OWNER}"), ("/results", f"token={OWNER}"),
                          ("/answer", json.dumps(body()))):
        answer = client.post(path, content=content, headers={**JSON, "origin": origin})
        assert answer.status_code == 403
        assert list(answer.json()) == ["error"]
    assert not store.closed
    assert store.answers() == []
    assert client.post("/answer", json=body(), headers={"origin": HERE}).status_code == 201


@pytest.mark.parametrize("host", ["evil.example", "test:8001", "", "test.evil.example", "[::1"])
def test_a_server_answers_under_its_own_names_alone(client, store, host):
    """A name that was made to point here reads no page and posts nothing."""
    for method, path in (("GET", "/r/link-a"), ("GET", "/results"), ("POST", "/answer")):
        answer = client(method, path, headers={"host": host})
        assert answer.status_code == 421
        assert list(answer.json()) == ["error"]
    assert client.get("/r/link-a", headers={"host": "TEST:80"}).status_code == 200


def test_every_answer_carries_strict_headers_and_pages_name_no_other_host(client):
    for path in ("/r/link-a", "/page.js", "/page.css", "/results", "/nowhere", "/r/nobody"):
        answer = client.get(path)
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        kept = "same-origin" if path == "/results" else "no-referrer"
        assert answer.headers["referrer-policy"] == kept
        assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", answer.text)
    assert client.get("/results/").status_code == 404
    assert client.get("/nowhere").json() == {"error": "there is no such page."}


def test_the_page_shows_and_enforces_the_hash_of_its_code(client, survey):
    code = client.get("/page.js").content
    asset = code_asset(sv.page_code(survey))
    assert asset.content == code
    page = client.get("/r/link-a").text
    assert asset.sha256 in page
    assert f'integrity="{asset.integrity}"' in page
    assert page.replace("“north”", "“south”") == client.get("/r/link-b").text


def test_thresholds_are_the_exact_cumulative_probabilities(survey):
    for question in survey.questions:
        for row, ends in zip(question.design.rows, thresholds(question), strict=True):
            sums = [int(end, 16) for end in ends]
            parts = [b - a for a, b in zip([0, *sums[:-1]], sums, strict=True)]
            assert tuple(Fraction(part, sums[-1]) for part in parts) == row


def test_nothing_about_the_visitor_is_written(client, store, tmp_path):
    agent = "Mozilla-of-a-certain-person"
    client.get("/r/link-a", headers={"user-agent": agent})
    client.post("/answer", json=body(), headers={"user-agent": agent, "x-forwarded-for": "6.6.6.6"})
    store.close()
    kept = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    for secret in (agent, "6.6.6.6", "testclient", "link-a", OWNER):
        assert secret.encode() not in kept


def test_closing_a_survey_while_answers_arrive_loses_none_and_fails_nothing(survey, tmp_path):
    links = {f"link-{i}": "all" for i in range(300)}
    with new_store(tmp_path, survey, OWNER, links) as store:
        def arrive():
            return [store.accept([Submission(link, {"q1": 0, "q2": 0}, "")])[0] for link in links]

        with ThreadPoolExecutor(1) as pool:
            arriving = pool.submit(arrive)
            while len(store.answers()) < 20:
                pass
            store.finish()
            found = arriving.result()
        kept = len(store.answers())
        assert store.closed
    assert found == ["stored"] * kept + ["closed"] * (300 - kept)
    assert 20 <= kept < 300


def test_a_damaged_store_is_told_to_visitors_without_its_path(survey, store, tmp_path):
    path = tmp_path / "s.answers"
    content = path.read_bytes()
    path.write_bytes(content[:1024] + b"x" * (len(content) - 1024))
    client = Client(survey, store)
    owner = {"authorization": f"Bearer {OWNER}"}
    for answer in (client.get("/r/link-a"), client.post("/answer", json=body()),
                   client.get("/results", headers=owner),
                   client.get("/results.json", headers=owner),
                   client.post("/results", content=f"token={OWNER}")):
        assert str(tmp_path) not in answer.text
        assert "s.answers" not in answer.text
    assert client.get("/results.json", headers=owner).status_code == 503


def test_a_survey_file_is_verified_when_it_is_read(survey):
    data = survey_bytes(survey)
    again = sv.read_survey(data)
    assert again.document() == survey.document()
    assert again.total.text == "ln(9)"
    with pytest.raises(NotIntact):
        sv.read_survey(data.replace(b"Ever?", b"Never?"))
    with pytest.raises(BadDocument, match="same key"):
        replace(survey, questions=survey.questions[:1] * 2)
    for bad in (b"", b"{}", b"[1]", b'{"format": "tightrope/survey"}'):
        with pytest.raises(BadDocument):
            sv.read_survey(bad)


@pytest.mark.parametrize("forge", [
    lambda c: c.update(total="a factor of at most 1.01"),
    lambda c: c.update(version=True),
    lambda c: c.update(groups="ab"),
    lambda c: c.update(groups=[]),
    lambda c: c.update(groups=["all", "all"]),
    lambda c: c.update(groups=["a" * 201]),
    lambda c: c.update(title="\u3164"),
    lambda c: c["questions"][0].update(promise="nobody will know"),
    lambda c: c["questions"][0].update(sensitive="yes"),
    lambda c: c["questions"][0].update(sensitive=[]),
    lambda c: c["questions"][0].update(sensitive=["maybe"]),
    lambda c: c["questions"][0].update(key="__proto__"),
    lambda c: c["questions"][0].update(text="\u2800"),
    lambda c: c["questions"][0]["design"].update(epsilon="0.01"),
])
def test_a_survey_file_says_what_a_survey_file_says_and_no_more(survey, forge):
    content = survey.document()
    forge(content)
    content["digest"] = digest_of(content)
    with pytest.raises(BadInput):
        sv.read_survey(render(content))


@pytest.mark.parametrize("claim", [b'"claim": {}, "claim"', b'"z": NaN, "claim"'])
def test_a_survey_file_says_nothing_twice_and_no_number_that_is_none(survey, claim):
    with pytest.raises(BadDocument, match=r"same key twice|not a number"):
        sv.read_survey(survey_bytes(survey).replace(b'"claim"', claim))


@pytest.mark.parametrize("names", [
    ("yes", "yes\u200b"), ("yes", "yes\u00a0"), ("caf\u00e9", "cafe\u0301"), ("no", "\u3164"),
    ("yes", "yes\ufe0e"), ("no", "y" * 201),
])
def test_answers_that_respondents_cannot_tell_apart_or_read_are_refused(names):
    def made():
        design = sv.warner("3/4").asking(names)
        return survey_of("Survey", [("Ever?", design, sv.prove(design))])

    with pytest.raises(BadInput):
        made()


@pytest.mark.parametrize("far", [
    matrix(["no", "yes"], [["0", "1000"], ["1000", "0"]]),
    graph(["no", "yes"], [(0, 1, 1000)]),
    matrix(["no", "yes"], [["0", "1/1000"], ["1/1000", "0"]]),
    graph(["no", "yes"], [(0, 1)]),
])
def test_a_survey_refuses_a_mechanism_of_another_space(survey, far):
    near = float(far.diameter) <= 1
    rows = [[2, 1], [1, 2]] if near else [[4096, 1], [1, 4096]]
    level = Level.epsilon("1000" if near else "1/100")
    held = certified(MatrixMechanism(far, far.points, Weights.from_integers(rows)), level)
    with pytest.raises(BadDocument, match="categories"):
        replace(survey.questions[0], certified=held)
    content = survey.document()
    content["questions"][0]["mechanism"] = compose(held)
    content["digest"] = digest_of(content)
    with pytest.raises(BadDocument, match="any two are at distance 1"):
        sv.read_survey(render(content))


def test_a_store_belongs_to_one_survey(survey, store, tmp_path):
    with pytest.raises(BadDocument, match="another survey"):
        SurveyStore(tmp_path / "s.answers", small_survey().digest)
    with pytest.raises(BadInput, match="no file"):
        SurveyStore(tmp_path / "missing.sqlite", survey.digest)
    Path(tmp_path / "junk.sqlite").write_bytes(b"junk" * 1000)
    with pytest.raises(BadDocument):
        SurveyStore(tmp_path / "junk.sqlite", survey.digest)


def test_the_label_says_what_a_yes_can_and_cannot_reveal(survey):
    label = question_label(survey.questions[0])
    assert label.first.response == "yes"
    assert "up to 3 times as likely" in label.first.can
    assert "25 in 100" in label.first.can  # Bayes: 0.1·3/(0.1·3 + 0.9·1)
    assert "25% of the people whose true answer is “no”" in label.first.cannot
    assert "factor of at most 9 " in total_promise(survey)


def test_the_label_says_when_a_response_is_a_proof():
    level = sv.optimum.Level.epsilon(1, delta="0.4")
    design = sv.best_binary(level, "0.1").design
    survey = survey_of("t", [("q?", design, sv.prove(design, level))])
    label = question_label(survey.questions[0])
    assert label.first.response == "yes"
    assert label.first.can.startswith("It can prove that your true answer is not “no”")
    assert "plus 40% (δ)" in total_promise(survey)


def test_with_delta_the_label_bounds_sets_of_answers_and_not_odds():
    """Warner's design at (ε, δ) exceeds e^ε with every answer, not with probability δ."""
    design = sv.warner("0.68")
    level = Level.ratio(2, delta="0.04")  # 0.68 = 2 · 0.32 + 0.04
    said = promise(sv.prove(design, level).certificate.level)
    assert design.rows[1][1] / design.rows[0][1] > 2
    assert "odds" not in said
    assert "at most 2 (ε = 0.69315) times that under the other, plus 4% (δ)" in said
