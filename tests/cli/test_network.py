"""`tightrope network`: an answer in range, nothing of the graph without --curator."""

import networkx as nx
import pytest

CURATOR = {"true_count", "edges", "loops", "repeated", "local_sensitivity", "ladder_mean_error",
           "smooth_mean_error", "global_mean_error", "seconds"}
PUBLIC = {"answer", "epsilon", "epsilon_text", "method", "count", "nodes", "largest", "evidence",
          "statement", "neighbors", "curator"}


@pytest.fixture
def story(folder):
    graph = nx.convert_node_labels_to_integers(nx.les_miserables_graph())
    lines = "".join(f"{a}\t{b}\n" for a, b in graph.edges)
    (folder / "story.txt").write_text("# Undirected graph\n" + lines)
    return "story.txt"


@pytest.mark.parametrize("count", ["triangles", "stars2", "stars3", "edges"])
@pytest.mark.parametrize("method", [
    (), ("--method", "ladder"), ("--method", "smooth"), ("--method", "global")])
def test_every_count_by_every_method(tightrope, story, count, method):
    found = tightrope("network", story, "--count", count, "--epsilon", "2", *method, "--json").json
    assert 0 <= found["answer"] <= found["largest"]
    assert (found["nodes"], found["evidence"], found["curator"]) == (77, "theorem", None)
    if method:
        assert found["method"] == method[1]


def test_figures_of_the_graph_need_the_curator(tightrope, story):
    arguments = ("network", story, "--count", "triangles", "--epsilon", "2")
    assert "Curator" not in tightrope(*arguments).out
    assert "Curator only, not private" in tightrope(*arguments, "--curator").out
    private = tightrope(*arguments, "--curator", "--json").json["curator"]
    assert set(private) == CURATOR
    assert (private["true_count"], private["edges"]) == (467, 254)


@pytest.mark.parametrize("method", ["ladder", "smooth", "global"])
def test_without_the_curator_only_the_answer_depends_on_the_graph(tightrope, folder, method):
    sparse = "a,b\n" + "".join(f"{i},{i + 1}\n" for i in range(59))
    extra = "".join(f"{i},{j}\n{j},{i}\n{i},{i}\n" for i in range(20) for j in range(i))
    (folder / "one.csv").write_text(sparse)
    (folder / "two.csv").write_text(sparse + extra)
    shown = []
    for name in ("one.csv", "two.csv"):
        arguments = ("network", name, "--count", "triangles", "--ratio", "3", "--method", method)
        found = tightrope(*arguments, "--json").json
        assert set(found) == PUBLIC
        del found["answer"]
        text = tightrope(*arguments).out.splitlines()
        shown.append((found, [line for line in text if not line.startswith("triangles")]))
    assert shown[0] == shown[1]


def test_more_nodes_than_listed_may_be_public(tightrope, story):
    found = tightrope("network", story, "--count", "edges", "--epsilon", "1", "--nodes", "100",
                      "--json")
    assert found.json["nodes"] == 100


@pytest.mark.parametrize("wrong", [
    ("--count", "squares"), ("--count", "edges", "--method", "rough"),
    ("--count", "edges", "--nodes", "5"), ("--count", "edges", "--nodes", "1000001"),
    ("--count", "edges", "--nodes", "9" * 25),
])
def test_bad_choices_are_one_sentence_and_exit_2(tightrope, story, wrong):
    found = tightrope("network", story, "--epsilon", "1", *wrong)
    assert found.code == 2
    assert found.sentence
