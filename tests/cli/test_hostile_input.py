"""Hostile input gets one sentence and exit code 2, and nothing is written."""

from time import process_time

import pytest

GOOD = "0.5,0.25,0.25\n0.25,0.5,0.25\n0.25,0.25,0.5\n"
COMMANDS = {
    "design": ("design", "path:0..2", "-o", "new.json"),
    "compare": ("compare", "path:0..2", "--plot", "new.png"),
    "tradeoff": ("tradeoff", "path:0..2", "--epsilons", "1:2:1", "--plot", "new.svg"),
    "improve": ("theory", "improve", "m.csv", "--space", "path:0..2", "-o", "new.json"),
    "certify": ("certify", "m.csv", "--space", "path:0..2", "-o", "new.json"),
}
LEVEL = {name: () if name == "tradeoff" else ("--epsilon", "1") for name in COMMANDS}
BINARY = bytes(range(256))


@pytest.fixture
def refused(tightrope, folder):
    """Runs a command that must fail, for people and for programs; the sentence."""
    (folder / "m.csv").write_text(GOOD)

    def run(*arguments, code=2):
        before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
        answer = tightrope(*arguments)
        told = tightrope(*arguments, "--json")
        assert (answer.code, told.code) == (code, code), (answer, told)
        assert told.json["error"] == answer.sentence
        assert told.json["exit"] == code
        assert told.err == ""
        assert answer.sentence.endswith((".", "--help"))
        assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before
        return answer.sentence

    return run


@pytest.fixture(params=COMMANDS)
def command(request):
    return request.param


LOSSES = [
    (b"0,nan,2\n1,0,1\n2,1,0\n", "row 1 and column 2"),
    (b"0,1,2\n1,inf,1\n2,1,0\n", "row 2 and column 2"),
    (b"0,1,2\n1,-inf,1\n2,1,0\n", "row 2 and column 2"),
    (b"0,1,2\n1,1e400,1\n2,1,0\n", "row 2 and column 2"),
    (b"0,1e300,2\n1,0,1\n2,1,0\n", "at most 1e+200"),
    (b"0,1,2\n1,0,1\n", "3 points"),
    (b"0,1,2\n1,0,1\n2,1,0\n3,2,1\n", "3 points"),
    (b"0,1,2,3\n1,0,1,2\n2,1,0,1\n", "3 rows and 3 columns"),
    (b"0,1\n1,0,1\n2,1,0\n", "missing"),
    (b"", "empty"),
    (b"\n\n", "empty"),
    (BINARY, "UTF-8"),
]


@pytest.mark.parametrize(("content", "word"), LOSSES)
def test_a_loss_that_is_no_matrix_of_finite_numbers(refused, folder, command, content, word):
    (folder / "loss.csv").write_bytes(content)
    assert word in refused(*COMMANDS[command], *LEVEL[command], "--loss", "loss.csv")


PRIORS = [
    (b"0\n0\n0\n", "every entry of the prior is 0"),
    (b"-0.5\n1\n0.5\n", "negative"),
    (b"0.5\n0.5\n0.5\n", "adds up to 1.5"),
    (b"nan\n0.5\n0.5\n", "number"),
    (b"inf\n0.5\n0.5\n", "number"),
    (b"0.5\n0.5\n", "3 entries"),
    (b"0.25\n0.25\n0.25\n0.25\n", "3 entries"),
    (b"", "empty"),
    (BINARY, "UTF-8"),
]


@pytest.mark.parametrize(("content", "word"), PRIORS)
def test_a_prior_that_is_no_law_on_the_space(refused, folder, command, content, word):
    (folder / "prior.csv").write_bytes(content)
    options = ("--loss", "absolute", "--prior", "prior.csv")
    assert word in refused(*COMMANDS[command], *LEVEL[command], *options)


def test_a_prior_is_read_even_where_it_does_not_count(refused, folder, command):
    (folder / "prior.csv").write_text("0.5\n0.5\n")
    options = ("--goal", "worst", "--prior", "prior.csv")
    assert "3 entries" in refused(*COMMANDS[command], *LEVEL[command], *options)


@pytest.mark.parametrize("option", ["--loss", "--prior"])
@pytest.mark.parametrize("name", ["", ".", "folder.csv", "missing.csv", "binary.npy", "binary.dat"])
def test_a_file_that_cannot_be_read_as_numbers(refused, folder, command, option, name):
    (folder / "folder.csv").mkdir()
    (folder / "binary.npy").write_bytes(b"\x93NUMPY\xff")
    (folder / "binary.dat").write_bytes(BINARY)
    sentence = refused(*COMMANDS[command], *LEVEL[command], option, name)
    assert name in sentence
    assert not sentence.startswith(":")


def test_a_prior_may_have_zeros(tightrope, folder):
    (folder / "prior.csv").write_text("0\n0.5\n0.5\n")
    options = ("--ratio", "2", "--loss", "binary", "--prior", "prior.csv", "--json")
    found = tightrope("design", "path:0..2", *options).json
    assert abs(found["value"] - 1 / 3) < 1e-6  # randomized response on the two points left


@pytest.mark.parametrize("option", ["--gap", "--time"])
@pytest.mark.parametrize("value", ["0", "-1", "nan", "inf", "1e400", "x", ""])
def test_an_effort_is_a_finite_number_above_zero(refused, option, value):
    for name in ("design", "compare", "tradeoff", "improve"):
        sentence = refused(*COMMANDS[name], *LEVEL[name], option, value)
        assert option in sentence
        assert value not in ("inf", "1e400") or "finite" in sentence


@pytest.mark.parametrize("name", ["design", "compare", "improve", "certify"])
@pytest.mark.parametrize("value", ["-1", "inf", "nan", "1e400"])
def test_a_level_is_a_finite_number_from_zero(refused, name, value):
    assert "from 0" in refused(*COMMANDS[name], "--epsilon", value)


@pytest.mark.parametrize("value", ["1", "2", "-0.1", "nan", "inf", "1/0", "1e-999999999"])
def test_a_delta_is_below_one(refused, command, value):
    assert "δ from 0" in refused(*COMMANDS[command], *LEVEL[command], "--delta", value)


@pytest.mark.parametrize(
    "levels",
    ["", "1:2", "-1:1:1", "2:1:1", "1:2:0", "nan:1:1", "1:inf:1", "1:2:1/0",
     "1:2000:1", "1:1e400:1", "1:2:1e-400", "1:1e999999999:1", "1:2:1e-999999999"],
)
def test_a_range_of_levels_that_has_no_end_or_no_beginning(refused, levels):
    start = process_time()
    sentence = refused("tradeoff", "path:0..2", "--epsilons", levels, "--plot", "new.svg")
    assert len(sentence) < 200
    assert process_time() - start < 5


@pytest.mark.parametrize("most", ["nan", "inf", "x", "", "1/0", "1e400", "1e999999999"])
def test_a_largest_loss_is_a_number(refused, most):
    start = process_time()
    sentence = refused("design", "path:0..2", "--max-loss", most, "-o", "new.json")
    assert sentence == f"expected --max-loss as a number, found {most!r}."
    assert process_time() - start < 5


@pytest.mark.parametrize(
    ("outputs", "most", "least"),
    [("0\n1\n2\n", "-1", "0"), ("0\n1\n2\n", "0", "0"), ("0\n2\n", "0.3", "0.333333"),
     ("1\n", "0.5", "0.666667")],
)
def test_a_loss_below_all_that_can_be_reached_names_the_least(
    refused, folder, outputs, most, least
):
    (folder / "o.csv").write_text(outputs)
    options = ("--max-loss", most, "--loss", "absolute", "--outputs", "o.csv", "-o", "new.json")
    sentence = refused("design", "path:0..2", *options, code=1)
    assert f"even without privacy it is {least};" in sentence


@pytest.mark.parametrize("name", ["design", "compare"])
@pytest.mark.parametrize(
    ("content", "loss", "word"),
    [
        (b"0\n2\n2\n", "absolute", "2 twice"),
        (b"0\nfoo\n", "absolute", "'foo' has no coordinates"),
        (b"0\nfoo\n", "binary", "'foo' is no point of path:0..2"),
        (b"0\n9\n", "binary", "9 is no point of path:0..2"),
        (b"0\nnan\n", "absolute", "nan"),
        (b"", "absolute", "empty"),
        (BINARY, "absolute", "UTF-8"),
    ],
)
def test_outputs_that_are_repeated_or_unknown(refused, folder, name, content, loss, word):
    (folder / "o.csv").write_bytes(content)
    options = ("--loss", loss, "--outputs", "o.csv")
    assert word in refused(*COMMANDS[name], *LEVEL[name], *options)


@pytest.mark.parametrize("name", ["design", "compare"])
@pytest.mark.parametrize("file", ["missing.csv", ".", "folder.csv"])
def test_outputs_that_are_no_file(refused, folder, name, file):
    (folder / "folder.csv").mkdir()
    assert file in refused(*COMMANDS[name], *LEVEL[name], "--outputs", file)


@pytest.mark.parametrize("name", ["improve", "certify"])
@pytest.mark.parametrize(
    ("content", "word"),
    [
        (b"0.5,nan,0.5\n0,1,0\n0,0,1\n", "row 1 and column 2"),
        (b"0.5,inf,0.5\n0,1,0\n0,0,1\n", "row 1 and column 2"),
        (b"1.5,-0.5,0\n0,1,0\n0,0,1\n", "negative"),
        (b"0,0,0\n0,1,0\n0,0,1\n", "adds up to 0"),
        (b"1,0,0\n0,1,0\n", "3 points"),
        (b"", "empty"),
        (BINARY, "UTF-8"),
    ],
)
def test_a_matrix_that_is_no_mechanism(refused, folder, name, content, word):
    (folder / "m.csv").write_bytes(content)
    assert word in refused(*COMMANDS[name], *LEVEL[name])


@pytest.mark.parametrize("name", ["improve", "certify"])
@pytest.mark.parametrize("file", [".", "folder.csv", "missing.csv", "empty.json", "broken.json"])
def test_a_mechanism_that_is_no_file(refused, folder, name, file):
    (folder / "folder.csv").mkdir()
    (folder / "empty.json").write_bytes(b"")
    (folder / "broken.json").write_bytes(b'{"format": ')
    words = COMMANDS[name][: COMMANDS[name].index("m.csv")]
    sentence = refused(*words, file, "--space", "path:0..2", "--epsilon", "1", "-o", "new.json")
    assert file in sentence
    assert "document already" not in sentence


@pytest.mark.parametrize("name", ["missing", "folder", "taken"])
def test_a_target_that_cannot_be_written(refused, folder, command, name):
    *arguments, option, target = COMMANDS[command]
    suffix = target.removeprefix("new")
    (folder / f"folder{suffix}").mkdir()
    (folder / f"taken{suffix}").write_text("kept")
    path = f"missing/new{suffix}" if name == "missing" else f"{name}{suffix}"
    assert name in refused(*arguments, option, path, *LEVEL[command])
    assert (folder / f"taken{suffix}").read_text() == "kept"


def test_cells_and_values_without_end_are_refused_in_a_short_sentence(refused, folder):
    (folder / "long.csv").write_text("0." + "1" * 200_000 + ",0\n0,1\n")
    assert "not a readable table" in refused("theory", "axioms", "long.csv")
    (folder / "query.csv").write_text("dataset,value\n0,0\n1,1e400\n")
    said = refused("theory", "query", "path:0..1", "--query", "query.csv")
    assert "more digits" in said
    assert len(said) < 300


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("theory", "laplace", "1e400", "--epsilon", "1"), "from 1e-200 to 1e200"),
        (("theory", "laplace", "1", "--epsilon", "1", "--scale=-1e400"), "above 0"),
        (("theory", "compatible", "path:0..N", "--radius", "1e-400"), "at least 1e-100"),
        (("theory", "compatible", "path:0..N", "--radius=-1e400"), "not negative"),
        (("theory", "compatible", "star:N", "--failure", "1e400"), "not including, 1"),
        (("theory", "excess", "m.csv", "--space", "path:0..2", "--epsilon", "1e6"), "at most 700"),
        (("theory", "response", "3", "--ratio", "2", "--factor", "1e-400"), "chance 0 or at least"),
        (("theory", "noise", "[0, 1e-400]", "--epsilon", "1"), "limit of about 10^"),
        (("theory", "noise", "[0, 1e30]", "--epsilon", "1"), "end in units is about 10^30"),
        (("theory", "noise", "[0, 1]", "--epsilon", "1", "--grid=-1e400"), "a grid above 0"),
        (("theory", "noise", "[0, 1]", "--epsilon", "1", "--law", "staircase", "--widen=-1e400"),
         "radius δ"),
    ],
)
def test_numbers_without_end_are_refused_in_a_short_sentence(refused, arguments, said):
    found = refused(*arguments)
    assert said in found
    assert len(found) < 300
