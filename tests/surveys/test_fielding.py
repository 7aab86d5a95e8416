"""A survey in the field: open links, the way back, front page, notices, frames, attackers."""

import json
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import product

import pytest

from tests.surveys.samples import HERE, Client, new_store, small_survey
from tightrope import surveys as sv
from tightrope.errors import BadInput
from tightrope.surveys import SurveyStore
from tightrope.surveys.fielding import checked_return
from tightrope.surveys.languages import SurveyLanguage
from tightrope.surveys.respondent_pages import respondent_page
from tightrope.surveys.survey_store import Submission
from tightrope.surveys.words import survey_texts

OWNER, BACK = "the-owner", "https://panel.example/done?code=C1"
LINKS = {f"link-{i}": "all" for i in range(30)}


def spoken(survey):
    own = survey_texts(survey)
    other = SurveyLanguage("es", None, {key: f"¡{text}!" for key, text in own.items()})
    return replace(survey, languages=(*survey.languages, other))


SURVEY = spoken(small_survey(("all", "open")))


@pytest.fixture
def store(tmp_path):
    with new_store(tmp_path, SURVEY, OWNER, LINKS, open=3, returns=BACK) as made:
        yield made


@pytest.fixture
def client(store):
    return Client(SURVEY, store, embed=["https://panel.example", "https://other.example:8443"])


def body(token, receipt=0, **responses):
    return {"token": token, "consent": True, "receipt": f"{receipt:032x}",
            "responses": {"q1": 1, "q2": 1, **responses}}


def test_an_open_link_takes_as_many_answers_as_were_said_and_says_so(client, store):
    link = store.open_token
    codes = [client.post("/answer", json=body(link, i)).status_code for i in range(5)]
    assert codes == [201, 201, 201, 410, 410]
    assert client.post("/answer", json=body(link, 2)).json() == {"stored": True, "already": True}
    assert "may" in client.post("/answer", json=body(link, 9)).json()["error"]
    full = client.get(f"/r/{link}")
    assert full.status_code == 410
    assert "all the answers that it may" in full.text
    assert "page.js" in full.text  # which sends a draw again that was not acknowledged
    assert store.links()["open"] == (3, 3)
    assert {answer.group for answer in store.answers()} == {"open"}
    assert client.post("/answer", json=body("link-0")).status_code == 201
    assert client.post("/answer", json=body("open", 7)).status_code == 404  # no such token
    results = client.post("/results", content=f"token={OWNER}").text
    assert "all: 1 of 30 links used; 3 of 3 answers by the open link." in results


def test_answers_by_the_open_link_that_arrive_together_are_counted_together(store):
    batch = [Submission(store.open_token, {"q1": 1, "q2": 1}, f"receipt {i}") for i in range(5)]
    assert store.accept(batch) == ["stored"] * 3 + ["full"] * 2
    assert store.links()["open"] == (3, 3)


def test_an_open_link_is_not_limited_by_the_minute(client, store):
    assert {client.get(f"/r/{store.open_token}").status_code for _ in range(80)} == {200}


def test_open_links_of_two_surveys_under_one_address_are_different(tmp_path, store):
    """A browser that answered one of them knows by the token that it did not answer the other."""
    (tmp_path / "other").mkdir()
    with new_store(tmp_path / "other", SURVEY, OWNER, {}, open=3) as other:
        assert other.open_token != store.open_token
        assert other.link(store.open_token).state == "unknown"


def test_the_label_says_what_an_open_link_a_way_back_and_a_database_mean(client, store):
    opened, own = (client.get(f"/r/{token}").text for token in (store.open_token, "link-0"))
    total = f"ε\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}{float(SURVEY.total):.5g} is spent again"
    assert total in opened
    assert total not in own
    assert "se gasta otra vez" in opened
    for page in (opened, own):
        assert "leads to panel.example" in page
        assert f'href="{BACK}" rel="noreferrer"' in page
        assert "database" not in page
    assert "lie in a database" in respondent_page(SURVEY, "all", in_database=True).decode()
    used = client.post("/answer", json=body("link-0")) and client.get("/r/link-0").text
    assert f'href="{BACK}"' in used
    assert BACK not in client.get("/r/nobody").text


def test_front_page_and_notices_speak_every_language(client, store):
    front = client.get("/").text
    assert "A &lt;b&gt;small" in front
    assert f'href="/r/{store.open_token}#es"' in front
    assert front.count("<section") == 2
    client.post("/answer", json=body("link-0"))
    for path, status, both in (
            ("/r/nobody", 404, ("Unknown link", "Enlace desconocido")),
            ("/r/link-0", 409, ("Thank you", "Gracias"))):
        page = client.get(path)
        assert page.status_code == status
        assert all(f"<h1>{title}</h1>" in page.text for title in both)
        assert '<section id="es" lang="es" dir="ltr">' in page.text
    store.finish()
    assert "Closed" in client.get("/r/link-1").text
    closed = client.get("/").text
    assert "takes no more answers" in closed
    assert store.open_token not in closed


def test_a_front_page_without_an_open_link_asks_for_the_personal_one(tmp_path):
    with new_store(tmp_path, SURVEY, OWNER, LINKS) as store:
        front = Client(SURVEY, store).get("/").text
    assert "open the link that was sent to you" in front
    assert "/r/" not in front


def test_only_named_sites_show_respondents_pages_in_a_frame(client):
    client.post("/answer", json=body("link-0"))
    sites = "frame-ancestors https://panel.example https://other.example:8443"
    for path in ("/r/link-1", "/r/link-0", "/r/nobody"):
        assert client.get(path).headers["content-security-policy"].endswith(sites)
    for path in ("/", "/results", "/page.js"):
        policy = client.get(path).headers["content-security-policy"]
        assert policy.endswith("frame-ancestors 'none'")


@pytest.mark.parametrize("site", [
    "panel.example", "https://", "https://a.example/x", "https://a.example; script-src *",
    "https://*", "https://a.example b.example", "javascript:alert(1)", "https://a@b.example",
    "https://a.example\n", "'self'", "https://a.example,b",
])
def test_what_is_no_site_is_not_put_into_a_policy(site):
    with pytest.raises(BadInput):
        sv.checked_site(site)


@pytest.mark.parametrize("url", [
    "javascript:alert(1)", "//panel.example", "panel.example", "https://", "https://a b.example",
    'https://a.example/"onclick=', "https://me:secret@a.example", "data:text/html,x",
    "https://a.example/" + "x" * 2000, "https://a.example/\n",
])
def test_what_is_no_return_address_is_refused(url):
    with pytest.raises(BadInput):
        checked_return(url)


@pytest.mark.parametrize("url", ["https://a.example/here", "https://a.example?x", "a.example"])
def test_a_survey_has_an_address_of_its_own(url):
    with pytest.raises(BadInput):
        sv.checked_address(url)
    assert sv.checked_address("https://a.example/") == "https://a.example"


@pytest.mark.parametrize(("asked", "said"), [
    ({"links": {"open": 3}}, "group 'open'"), ({"open": -1}, "links"), ({"links": 0}, "links"),
    ({"open": 10**8}, "links"), ({"returns": "x"}, "return address"),
    ({"store": "sqlite:///x.db"}, "PostgreSQL"), ({"store": "nonsense"}, "kept in a file"),
    ({"store": "mysql://u@h/d"}, "in a file of their own or in PostgreSQL"),
    ({"languages": ["xx"]}, "no sentences"), ({"url": "https://a.example/b"}, "no path"),
])
def test_bad_wishes_make_no_file(tmp_path, asked, said):
    with pytest.raises(BadInput, match=said):
        sv.create_survey(tmp_path / "s.json", [("Ever?", sv.warner("3/4"))], "ln(3)", **asked)
    assert list(tmp_path.iterdir()) == []


def test_an_open_link_alone_makes_no_personal_ones(tmp_path):
    made = sv.create_survey(tmp_path / "s.json", [("Ever?", sv.warner("3/4"))], "ln(3)", open=9)
    assert made.survey.groups == ("open",)
    assert "s.links.csv, the open link" in str(made)
    assert "1.0986 is spent again" in " ".join(made.facts().sentences)
    with SurveyStore(made.store, made.survey.digest) as store:
        assert store.links() == {"open": (9, 0)}
        assert made.fielding.link == f"http://127.0.0.1:8000/r/{store.open_token}"
    assert made.links.read_text() == f"group,link\nopen,{made.fielding.link}\n"


# ---- attackers ----------------------------------------------------------------------------

def told(answer):
    return answer.status_code, answer.content, sorted(answer.headers.items())


def test_what_a_server_says_never_depends_on_the_answers(tmp_path):
    """Stored, received again, replayed, full, closed, unknown: the same bytes for any answers."""
    every = list(product(range(2), range(3)))
    said = {step: set() for step in ("stored", "again", "other", "unknown", "closed", "page")}
    for place, (a, b) in enumerate(every):
        (tmp_path / str(place)).mkdir()
        with new_store(tmp_path / str(place), SURVEY, OWNER, LINKS, open=1) as store:
            client = Client(SURVEY, store)

            def post(token, receipt, a=a, b=b, client=client):
                return str(told(client.post("/answer", json=body(token, receipt, q1=a, q2=b))))

            said["stored"].add(post("link-0", 1))
            said["again"].add(post("link-0", 1))
            said["other"].add(post("link-0", 2))
            said["unknown"].add(post("nobody", 1))
            said["page"].add(str(told(client.get("/r/link-0"))))
            store.finish()
            said["closed"].add(post("link-1", 3))
            size = (tmp_path / str(place) / "s.answers").stat().st_size
            said.setdefault("size", set()).add(size)
    assert {step: len(answers) for step, answers in said.items()} == dict.fromkeys(said, 1)


def test_of_many_answers_with_one_link_at_once_one_is_stored(tmp_path):
    """By two servers of one store, whatever they do at the same time."""
    with (new_store(tmp_path, SURVEY, OWNER, LINKS, open=8) as first,
          SurveyStore(tmp_path / "s.answers", SURVEY.digest) as second):
        start = threading.Barrier(16)

        def attack(i):
            start.wait()
            store = (first, second)[i % 2]
            mine = Submission("link-0", {"q1": i % 2, "q2": 0}, f"receipt {i}")
            opened = Submission(first.open_token, {"q1": i % 2, "q2": 0}, f"receipt {i}")
            return store.accept([mine, opened])

        with ThreadPoolExecutor(16) as pool:
            outcomes = list(pool.map(attack, range(16)))
        assert [one for one, _ in outcomes].count("stored") == 1
        assert [one for one, _ in outcomes].count("replayed") == 15
        assert [two for _, two in outcomes].count("stored") == 8
        assert [two for _, two in outcomes].count("full") == 8
        assert len(first.answers()) == len(second.answers()) == 9
        assert second.links() == {"all": (30, 1), "open": (8, 8)}


@pytest.mark.parametrize("token", [
    "open", "open-", "open-00000000", "\ud800", "../s.answers", "link-0\0", "link-0 ", "LINK-0",
    "link-0%00", "a" * 100,
])
def test_a_forged_token_opens_nothing(client, store, token):
    content = json.dumps(body(token)).encode()
    answer = client.post("/answer", content=content, headers={"content-type": "application/json"})
    assert answer.status_code == 404
    assert store.answers() == []


@pytest.mark.parametrize("content", [
    json.dumps(body("link-0")).encode().replace(b'"q1": 1', b'"q1": 1, "q1": 0'),
    json.dumps(body("link-0")).encode()[:-1] + b', "token": "link-1"}',
    b'{"responses": ' + b"9" * 5000 + b"}",
    b'{"a": NaN}', b"\xef\xbb\xbf{}", b"[" * 60_000, json.dumps(body("link-0")).encode() * 2,
])
def test_a_body_that_is_no_answer_is_a_400(client, store, content):
    answer = client.post("/answer", content=content, headers={"content-type": "application/json"})
    assert answer.status_code == 400
    assert store.answers() == []


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "PATCH"])
def test_answers_come_by_post_alone(client, store, method):
    assert client(method, "/answer", json=body("link-0")).status_code == 405
    assert store.answers() == []


def test_no_page_names_a_token_of_another_respondent(client, store):
    pages = [client.get(path).text for path in ("/", "/r/link-1", "/page.js", "/r/nobody")]
    for page in pages:
        assert not re.search(r"link-\d", page)
        assert OWNER not in page
    assert HERE not in "".join(pages)
