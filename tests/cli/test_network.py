"""`tightrope network`: an answer in range, nothing of the graph without --curator."""

import networkx as nx
import pytest

CURATOR = {"true_count", "edges", "loops", "repeated", "strangers", "unreadable",
           "largest_degree", "beyond", "sets", "local_sensitivity", "ladder_mean_error",
           "smooth_mean_error", "global_mean_error", "seconds"}
PUBLIC = {"answer", "epsilon", "epsilon_text", "method", "count", "nodes", "node_set", "largest",
          "directed", "edges_are",
          "worst_mean_error", "evidence", "statement", "neighbors", "curator", "protect",
          "max_degree", "radius", "file", "picture", "booked"}


@pytest.fixture
def story(folder):
    graph = nx.convert_node_labels_to_integers(nx.les_miserables_graph(), first_label=1)
    lines = "".join(f"{a}\t{b}\n" for a, b in graph.edges)
    (folder / "story.txt").write_text("# Undirected graph\n" + lines)
    return "story.txt"


@pytest.mark.parametrize("count", ["triangles", "stars2", "stars3", "edges"])
@pytest.mark.parametrize("method", [
    (), ("--method", "ladder"), ("--method", "smooth"), ("--method", "global")])
def test_every_count_by_every_method(tightrope, story, count, method):
    found = tightrope("network", story, "--nodes", "1..77", "--count", count, "--epsilon", "2",
                      *method, "--json").json
    assert 0 <= found["answer"] <= found["largest"]
    assert (found["nodes"], found["evidence"], found["curator"]) == (77, "theorem", None)
    if method:
        assert found["method"] == method[1]


def test_figures_of_the_graph_need_the_curator(tightrope, story):
    arguments = ("network", story, "--nodes", "1..77", "--count", "triangles", "--epsilon", "2")
    assert "Curator" not in tightrope(*arguments).out
    assert "Curator only, not private" in tightrope(*arguments, "--curator").out
    private = tightrope(*arguments, "--curator", "--json").json["curator"]
    assert set(private) == CURATOR
    assert (private["true_count"], private["edges"]) == (467, 254)


SPARSE = "a,b\n" + "".join(f"{i},{i + 1}\n" for i in range(1, 59))
DENSE = "".join(f"{i},{j}\n{j},{i}\n{i},{i}\n" for i in range(20) for j in range(i))
FILES = {
    "sparse": SPARSE, "dense": SPARSE + DENSE, "nothing": "", "names only": "a,b\n",
    "one edge": "1,2\n", "one edge under names": "a,b\n1,2\n", "a loop": "1,1\n",
    "unknown ids": "61,62\n1,x\n", "one cell": "1\n", "three cells": "1,2,3\n4,5\n",
    "blank lines": "\n\n1,2\n\n", "missing ends": "1,\n,2\n,\n", "an open quote": '"1,2\n2,3\n',
    "twice": "1,2\n2,1\n1,2\n", "no UTF-8": "1,\udcff\n", "control": "1,\0\n\x1b[2J,3\n",
    "weights": "a,b,weight\n1,2,0.5\n", "a long cell": "1," + "9" * 200_000 + "\n",
    "more ids than nodes": "".join(f"x{i},y{i}\n" for i in range(100)),
}


@pytest.mark.parametrize("method", ["ladder", "smooth", "global"])
def test_without_the_curator_only_the_answer_depends_on_the_edges(tightrope, folder, method):
    shown, shown_pages = set(), set()
    for text in FILES.values():
        (folder / "g.csv").write_bytes(text.encode("utf-8", "surrogateescape"))
        arguments = ("network", "g.csv", "--nodes", "1..60", "--count", "triangles", "--ratio", "3",
                     "--method", method)
        found = tightrope(*arguments, "--json")
        answer = found.json
        assert set(answer) == PUBLIC
        assert answer.pop("curator") is None
        del answer["answer"]
        shown.add((found.code, found.err, str(answer)))
        if method == "global":  # the page is the same for every method
            page = tightrope(*arguments)
            rest = [line for line in page.out.splitlines() if not line.startswith("triangles")]
            shown_pages.add((page.code, page.err, *rest))
    assert len(shown) == 1
    assert len(shown_pages) == (method == "global")


def test_each_way_to_declare_the_nodes_counts_all_edges(tightrope, folder):
    graph = nx.les_miserables_graph()
    edges = "".join(f"{a},{b}\n" for a, b in graph.edges)
    (folder / "g.csv").write_text(edges)
    (folder / "under.csv").write_text("from,to\n" + edges)
    (folder / "n.txt").write_text("\n".join(graph))
    (folder / "n.csv").write_text("id,name\n" + "".join(f"{i},{n}\n" for i, n in enumerate(graph)))
    ways = [(name, "--nodes", nodes, *told) for name in ("g.csv", "under.csv")
            for nodes in ("n.txt", "n.csv:name") for told in ((), ("--no-header",))]
    ways += [("g.csv", "--nodes", "public", "--no-header"), ("under.csv", "--nodes", "n.txt",
             "--header"), ("under.csv", "--nodes", "public", "--header")]
    for way in ways:
        found = tightrope("network", *way, "--count", "edges", "--epsilon", "1", "--curator",
                          "--json").json
        assert (found["nodes"], found["curator"]["edges"]) == (77, 254), way
        assert found["curator"]["true_count"] == 254


def test_a_file_whose_name_is_a_number_is_told_by_its_path(tightrope, folder, story):
    (folder / "77").write_text("".join(f"{i}\n" for i in range(1, 91)))
    asked = ("--count", "edges", "--epsilon", "1", "--json")
    assert tightrope("network", story, "--nodes", "1..77", *asked).json["nodes"] == 77
    assert tightrope("network", story, "--nodes", "./77", *asked).json["nodes"] == 90


def test_rows_that_are_left_out_are_told_to_the_curator(tightrope, folder):
    (folder / "g.txt").write_text("1 2\n2 1\n3 3\n1 9\n4\n2 3\n")
    arguments = ("network", "g.txt", "--nodes", "1..4", "--count", "edges", "--epsilon", "1")
    found = tightrope(*arguments, "--curator", "--json").json["curator"]
    kinds = ("edges", "repeated", "loops", "strangers", "unreadable")
    assert [found[kind] for kind in kinds] == [2, 1, 1, 1, 1]
    assert "1 rows that name another id" in tightrope(*arguments, "--curator").out


def test_the_page_names_graphs_and_a_bound_for_every_method(tightrope, story):
    for method in ("ladder", "smooth", "global"):
        said = tightrope("network", story, "--nodes", "1..77", "--count", "triangles", "--epsilon",
                         "2", "--method", method).out
        assert "all graphs on these nodes that differ in one edge" in said
        assert "whatever the edges" in said
        assert "the ids 1 to 77" in said


@pytest.mark.parametrize("wrong", [
    ("--count", "squares"), ("--count", "edges", "--method", "rough"),
    ("--count", "edges", "--nodes", "1..2"), ("--count", "edges", "--nodes", "1..1000001"),
    ("--count", "edges", "--nodes", "9" * 25), ("--count", "edges", "--nodes", "9" * 5000),
    ("--count", "edges", "--nodes", "none.txt"), ("--count", "edges", "--nodes", "none.csv:id"),
    ("--count", "edges", "--nodes", "-5"), ("--count", "stars3", "--nodes", "1..3"),
])
def test_bad_choices_are_one_sentence_and_exit_2(tightrope, story, wrong):
    nodes = () if "--nodes" in wrong else ("--nodes", "1..77")
    found = tightrope("network", story, "--epsilon", "1", *nodes, *wrong)
    assert found.code == 2
    assert found.sentence


@pytest.mark.parametrize(("nodes", "said"), [
    ((), "missing option '--nodes'"), (("--nodes", "1..77", "--nodes", "public"), "given twice"),
    (("--nodes", "public"), "--no-header"),
])
def test_the_nodes_are_declared_once_whatever_the_edges(tightrope, folder, nodes, said):
    for text in ("", "a,b\n", "a,b\nb,c\nc,d\n"):
        (folder / "g.csv").write_text(text)
        found = tightrope("network", "g.csv", "--count", "edges", "--epsilon", "1", *nodes)
        assert found.code == 2
        assert said in found.sentence


NODES = ("--protect", "nodes", "--max-degree", "4", "--ratio", "3")


@pytest.mark.parametrize("count", ["edges", "stars2", "stars3", "degrees"])
def test_where_nodes_are_protected_only_the_answer_depends_on_the_edges(tightrope, folder, count):
    shown = set()
    for name in ("sparse", "dense", "nothing", "unknown ids", "an open quote"):
        (folder / "g.csv").write_text(FILES[name])
        found = tightrope("network", "g.csv", "--nodes", "1..60", "--count", count, *NODES,
                          "--json")
        answer = found.json
        for drawn in ("answer", "intervals", "at_least", "at_least_intervals", "adjusted"):
            answer.pop(drawn, None)
        shown.add((found.code, found.err, str(answer)))
    assert len(shown) == 1
    assert "a node is rewired, none is added or removed; the nodes are public" in shown.pop()[2]


def test_released_degrees_add_up_and_the_page_says_what_is_left_out(tightrope, story):
    asked = ("network", story, "--nodes", "1..77", "--count", "degrees", *NODES)
    found = tightrope(*asked, "--json").json
    assert (len(found["answer"]), sum(found["answer"])) == (5, 77)
    page = " ".join(tightrope(*asked, "--curator").out.split())
    for words in ("edges beyond 4 at a node are left out first", "rewired", "whatever the edges",
                  "largest degree 36"):
        assert words in page
    plain = ("network", story, "--nodes", "1..77", "--count", "degrees", "--max-degree", "9",
             "--epsilon", "1")
    assert "counted as 9" in " ".join(tightrope(*plain).out.split())


@pytest.mark.parametrize(("asked", "code", "words"), [
    (("triangles", "--protect", "nodes", "--max-degree", "4"), 1, "triangles are not offered"),
    (("edges", "--protect", "nodes", "--max-degree", "4", "--method", "ladder"), 1, "ladder"),
    (("degrees", "--max-degree", "4", "--method", "smooth"), 1, "smooth"),
    (("edges", "--protect", "nodes"), 2, "largest degree (--max-degree)"),
    (("edges", "--max-degree", "4"), 2, "largest degree"),
    (("degrees",), 2, "told apart (--max-degree)"),
    (("degrees", "--max-degree", "77"), 2, "1 to 76"),
    (("degrees", "--max-degree", "4", "--radius", "1"), 2, "radius"),
    (("triangles", "--method", "privacy-first"), 2, "NP-hard"),
    (("edges", "--method", "privacy-first", "--radius", "-1"), 2, "radius"),
    (("edges", "--method", "ladder", "--radius", "1"), 2, "no radius"),
])
def test_what_is_not_offered_is_said_in_one_sentence(tightrope, story, asked, code, words):
    found = tightrope("network", story, "--nodes", "1..77", "--epsilon", "1", "--count", *asked)
    assert found.code == code
    assert words in found.sentence


def test_privacy_first_shows_the_curator_the_sets_of_algorithm_1(tightrope, folder):
    (folder / "path.csv").write_text("1,2\n2,3\n3,4\n")
    asked = ("network", "path.csv", "--nodes", "1..4", "--count", "triangles", "--epsilon", "1",
             "--method", "privacy-first")
    assert tightrope(*asked, "--json").json["answer"] in (0, 1, 2, 4)
    sets = tightrope(*asked, "--curator", "--json").json["curator"]["sets"]
    assert sets == [[0], [1], [2], [4]]
    wide = tightrope(*asked, "--radius", "1", "--curator", "--json").json["curator"]["sets"]
    assert wide == [[0, 1], [2], [], [4]]


@pytest.mark.parametrize("asked", [
    ("triangles", "--epsilon", "1"), ("edges", *NODES), ("degrees", *NODES)])
def test_pictures_are_written_and_not_overwritten(tightrope, story, folder, asked):
    arguments = ("network", story, "--nodes", "1..77", "--count", *asked, "--plot", "p.svg")
    assert tightrope(*arguments, "--json").json["picture"] == "p.svg"
    assert b"whatever the edges" in (folder / "p.svg").read_bytes() or asked[0] == "degrees"
    assert tightrope(*arguments).code == 2


@pytest.mark.parametrize("asked", [("--count", "triangles"), ("--count", "degrees",
                                   "--max-degree", "3", "--protect", "nodes")])
def test_the_mechanism_is_kept_and_does_not_depend_on_the_edges(tightrope, folder, asked):
    for number, text in enumerate(("1,2\n", "1,2\n2,3\n3,1\n")):
        (folder / "g.csv").write_text(text)
        tightrope("network", "g.csv", "--nodes", "1..30", *asked, "--epsilon", "1", "-o",
                  f"kept{number}.json")
    assert (folder / "kept0.json").read_bytes() == (folder / "kept1.json").read_bytes()
    assert tightrope("verify", "kept0.json", "--json").json["holds"]


def test_ids_from_zero_count_the_graph_that_was_meant(tightrope, folder):
    graph = nx.karate_club_graph()
    nx.write_edgelist(graph, folder / "karate.txt", data=False)
    asked = ("network", "karate.txt", "--count", "triangles", "--epsilon", "1", "--curator",
             "--json")
    assert sum(nx.triangles(graph).values()) // 3 == 45
    assert tightrope(*asked, "--nodes", "0..33").json["curator"]["true_count"] == 45
    refused = tightrope(*asked[:-1], "--nodes", "34")
    assert refused.code == 2
    assert "nodes as 0..33 or 1..34" in refused.sentence


@pytest.mark.parametrize("ending", ["csv", "txt", "graphml"])
def test_arrows_join_pairs_as_declared(tightrope, folder, ending):
    arrows = nx.DiGraph([("1", "2"), ("2", "1"), ("2", "3"), ("3", "4"), ("4", "3"), ("4", "1")])
    if ending == "graphml":
        nx.write_graphml(arrows, folder / "g.graphml")
    else:
        mark = "," if ending == "csv" else " "
        text = "".join(f"{a}{mark}{b}\n" for a, b in arrows.edges)
        (folder / f"g.{ending}").write_text("# Directed graph\n" * (ending == "txt") + text)
    asked = ("network", f"g.{ending}", "--nodes", "1..4", "--count", "edges", "--epsilon", "1",
             "--curator", "--json")
    for directed, edges in (("either", 4), ("both", 2)):
        found = tightrope(*asked, "--directed", directed).json
        assert (found["curator"]["true_count"], found["directed"]) == (edges, directed)
        assert found["curator"]["repeated"] == 0
    plain = tightrope(*asked)
    if ending == "csv":  # nothing in the file says that rows are arrows
        assert plain.json["curator"]["true_count"] == 4
        assert plain.json["edges_are"] == "pairs in a row, without direction"
    else:
        assert plain.code == 2
        assert "(--directed): either, or both" in plain.json["error"]
