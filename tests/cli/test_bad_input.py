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
    ("--epsilon", "-1"),
    ("--epsilon", "nan"),
    ("--epsilon", "inf"),
    ("--epsilon", "1000001"),
    ("--epsilon", "1e99999"),
    ("--epsilon", "half"),
    ("--epsilon", ""),
    ("--epsilon", "ln(0.9)"),
    ("--ratio", "0"),
    ("--ratio", "0.9"),
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
        ("--plot", "m.jpg"),
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
    content["version"] = 3


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


@pytest.mark.parametrize(("text", "culprit"), [
    ("0.5\n-0.1\n0.6\n", "entry 2 of the prior is -0.1"),
    ("0.5\n0.5\n", "found 2"),
    ("0\n0\n0\n", "every entry of the prior is 0"),
    ("0,0.5\n1,0.25\n7,0.25\n", "no row for 2"),
    ("0,0.5\n1,0.25\n1,0.25\n", "two rows have the label 1"),
    ("point;prior\n0;0,5\n1;0,25\n2;0,25\n", "separated by commas"),
    ("nan\n0.5\n0.5\n", "row 1"),
    ("", "empty"),
])
def test_a_prior_that_cannot_be_used_is_named_with_its_file(tightrope, folder, text, culprit):
    (folder / "prior.csv").write_text(text)
    answer = tightrope("design", "path:0..2", "--epsilon", "1", "--prior", "prior.csv",
                       "-o", "m.json")
    assert answer.code == 2
    assert answer.sentence.startswith("prior.csv")
    assert culprit in answer.sentence
    assert [file.name for file in folder.iterdir()] == ["prior.csv"]


def test_text_in_the_first_row_of_a_loss_is_seen_to_be_taken_for_labels(tightrope, folder):
    (folder / "loss.csv").write_text("0,1,x\n1,0,1\n2,1,0\n")
    answer = tightrope("design", "path:0..2", "--epsilon", "1", "--loss", "loss.csv")
    assert answer.code == 2
    assert answer.sentence.startswith("loss.csv: expected a row for each of the 3 points")
    assert "found 2 rows below the labels 0, 1, x." in answer.sentence


@pytest.mark.parametrize(("option", "value"), [
    ("--gap", "0"), ("--gap", "-1"), ("--gap", "1"), ("--gap", "2"), ("--gap", "nan"),
    ("--gap", "inf"), ("--time", "0"), ("--time", "-1"), ("--time", "nan"), ("--time", "inf"),
])
@pytest.mark.parametrize("command", [
    ("design", "grid:2x2", "--epsilon", "1"), ("compare", "grid:2x2", "--epsilon", "1"),
    ("tradeoff", "grid:2x2", "--epsilons", "1:2:1"),
])
def test_an_effort_out_of_range_is_named(tightrope, folder, command, option, value):
    answer = tightrope(*command, option, value)
    assert answer.code == 2
    assert f"expected {option}" in answer.sentence
    assert answer.sentence.endswith(f"found {value}.")


def test_a_level_that_no_construction_reaches_gets_one_sentence(tightrope, folder):
    answer = tightrope("design", "grid:3x3", "--epsilon", "1000000")
    assert answer.code == 2
    assert "more than the limit" in answer.sentence
    assert len(answer.sentence) < 250


def test_a_coarse_gap_is_not_called_optimal(tightrope, folder):
    answer = tightrope("design", "grid:4x4", "--epsilon", "1", "--loss", "euclidean",
                       "--gap", "0.5")
    assert answer.code == 0
    assert "this is optimal" not in answer.out
    assert "the best saves at most" in " ".join(answer.out.split())
