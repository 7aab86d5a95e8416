"""Bad input gets one sentence and exit code 2, and leaves the folder as it was."""

import json
from time import process_time

import pytest

from tightrope.documents import digest_of


def test_a_level_too_small_to_round_in_is_named_briefly(tightrope, folder):
    answer = tightrope("design", "path:0..2", "--epsilon", "1e-300", "--loss", "absolute")
    assert answer.code == 2
    assert "at least 2.8e-17 per step here, found ε = 1e-300." in answer.sentence
    assert list(folder.iterdir()) == []


LEVELS = [
    ("--epsilon", "0"),
    ("--epsilon", "-1"),
    ("--epsilon", "nan"),
    ("--epsilon", "inf"),
    ("--epsilon", "1000001"),
    ("--epsilon", "1e99999"),
    ("--epsilon", "ln(1)"),
    ("--epsilon", "half"),
    ("--epsilon", ""),
    ("--ratio", "1"),
    ("--ratio", "0"),
    ("--ratio", "-2"),
    ("--ratio", "nan"),
    ("--epsilon", "1", "--ratio", "2"),
    ("--epsilon", "1", "--delta", "1"),
    ("--epsilon", "1", "--delta", "-0.1"),
    ("--epsilon", "1", "--delta", "nan"),
    (),
]


@pytest.mark.parametrize("level", LEVELS, ids=" ".join)
@pytest.mark.parametrize("flag", [(), ("--json",)], ids=["people", "json"])
def test_a_level_out_of_range(tightrope, folder, level, flag):
    answer = tightrope("design", "path:0..2", *level, "-o", "m.json", *flag)
    assert answer.code == 2
    assert list(folder.iterdir()) == []
    assert (answer.json["error"] if flag else answer.sentence).endswith(".")


@pytest.mark.parametrize(
    "space",
    ["", "blah", "path:5..1", "path:0..0", "path:a..b", "categories:red", "grid:0x3", "cycle:-1",
     "edges:none.csv", "matrix:none.csv", "path:0..2 *", "path:0..9 * path:0..1 ^ path:0..1"],
)
def test_a_space_that_makes_no_sense(tightrope, folder, space):
    answer = tightrope("design", space, "--epsilon", "1")
    assert answer.code == 2
    assert answer.sentence


def test_a_metric_that_is_none_names_the_points(tightrope, folder):
    (folder / "d.csv").write_text(",a,b,c\na,0,1,9\nb,1,0,1\nc,9,1,0\n")
    answer = tightrope("design", "matrix:d.csv", "--epsilon", "1")
    assert answer.code == 2
    assert all(point in answer.sentence for point in "abc")


@pytest.mark.parametrize("space", ["grid:100000x10000", "hamming:values=10,people=9"])
@pytest.mark.parametrize("command", ["design", "compare"])
def test_a_billion_points_where_a_matrix_would_be_needed_are_refused_at_once(
    tightrope, folder, space, command
):
    start = process_time()
    answer = tightrope(command, space, "--epsilon", "1")
    assert answer.code == 2
    assert "1,000,000,000 points" in answer.sentence
    assert process_time() - start < 5


@pytest.mark.parametrize(
    "options",
    [
        ("--loss", "unknown"),
        ("--goal", "unknown"),
        ("--prior", "unknown"),
        ("--construction", "unknown"),
        ("--plot", "m.pdf"),
        ("-o", "m.txt"),
        ("-o", "missing/m.json"),
        ("-o", "."),
    ],
    ids=" ".join,
)
def test_an_option_that_cannot_be_used(tightrope, folder, options):
    answer = tightrope("design", "path:0..2", "--epsilon", "1", *options)
    assert answer.code == 2
    assert answer.sentence
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("0.5,0.4\n0.5,0.5\n", "adds up to 0.9"),
        ("-0.5,1.5\n0.5,0.5\n", "negative"),
        ("0.5,nan\n0.5,0.5\n", "number"),
        ("0.5,0.5\n", "2 points"),
        ("0.5\n0.5,0.5\n", "missing"),
        ("", "empty"),
    ],
)
@pytest.mark.parametrize("command", ["verify", "certify", "inspect"])
def test_a_matrix_that_is_no_mechanism(tightrope, folder, command, text, word):
    (folder / "m.csv").write_text(text)
    level = () if command == "inspect" else ("--epsilon", "1")
    answer = tightrope(command, "m.csv", "--space", "categories:2", *level)
    assert answer.code == 2
    assert word in answer.sentence


def version(content):
    content["version"] = 2


def no_claim(content):
    del content["claim"]


def negative(content):
    content["mechanism"]["rows"][0] = "-8 2 2"


def no_rows(content):
    content["mechanism"]["rows"] = []


def other_format(content):
    content["format"] = "other"


@pytest.mark.parametrize("change", [version, no_claim, negative, no_rows, other_format])
@pytest.mark.parametrize("command", ["verify", "inspect"])
def test_a_document_that_cannot_be_read(tightrope, document, folder, command, change):
    content = json.loads((folder / document).read_text())
    change(content)
    content["digest"] = digest_of(content)
    (folder / document).write_text(json.dumps(content))
    answer = tightrope(command, document)
    assert answer.code == 2
    assert "m.json" in answer.sentence


@pytest.mark.parametrize("content", [b"", b"{", b"\x1f\x8bnothing", b"\x00\xff", b"null", b"[]"])
def test_a_file_that_is_no_document(tightrope, folder, content):
    (folder / "m.json").write_bytes(content)
    answer = tightrope("verify", "m.json")
    assert answer.code == 2
    assert "m.json" in answer.sentence


@pytest.mark.parametrize("command", ["verify", "inspect"])
def test_a_file_that_is_not_there_or_is_a_folder(tightrope, command):
    answer = tightrope(command, "missing.json")
    assert answer.code == 2
    assert "missing.json" in answer.sentence
    assert tightrope(command, ".").code == 2


def test_a_prior_with_negative_weights_or_of_another_length(tightrope, folder):
    for text, word in (("-1\n1\n1\n", "negative"), ("0.5\n0.5\n", "3"), ("1\n1\n1\n", "adds up")):
        (folder / "prior.csv").write_text(text)
        answer = tightrope("design", "path:0..2", "--epsilon", "1", "--prior", "prior.csv")
        assert answer.code == 2
        assert word in answer.sentence


def test_a_loss_of_another_shape(tightrope, folder):
    (folder / "loss.csv").write_text("0,1\n1,0\n")
    answer = tightrope("design", "path:0..2", "--epsilon", "1", "--loss", "loss.csv")
    assert answer.code == 2
    assert "3 points" in answer.sentence


def test_a_delta_alone_is_no_level(tightrope, document):
    assert tightrope("verify", document, "--delta", "0.1").code == 2
