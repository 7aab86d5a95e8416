"""The whole package with every sentence reworded, and what it says of the kept documents.

Run as a program: before the package is imported, every text of two words or more in its source
is written with the words turned around. Texts that are codes stay as they are. Prints one JSON
object: for each document the verdict, and whether it is composed to the same bytes again; for the
books whether they hold, and whether requests are known again; and some words, which differ.
"""

import ast
import contextlib
import importlib.abc
import importlib.machinery
import io
import json
import re
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

HERE = Path(__file__).parent
SENTENCE = re.compile(r"[A-Za-z]{2,}[,;:]? +[A-Za-z]{2,}")
CODES = {"leave out", "two-sided geometric",
         "goal prior loss value bound unit multipliers"}
"""Texts of several words that files hold: in declarations, of laws, in questions, as names."""
LANGUAGES = {"tightrope.releases.grammar", "tightrope.declarations.filters",
             "tightrope.ledger.store"}
"""Modules whose texts are the language of questions, or SQL."""
PHRASE = re.compile(r"\b(COLUMN|CONDITIONS?|NUMBER|PROBABILITIES)\b")
"""The slots of phrases, by which statistics stand in questions: language, too."""


class _Reworded(ast.NodeTransformer):
    def visit_Constant(self, node):
        text = node.value
        if not isinstance(text, str) or not SENTENCE.search(text) or text.strip() in CODES:
            return node
        if PHRASE.search(text):
            return node
        start, end = (text[: len(text) - len(text.lstrip())], text[len(text.rstrip()):])
        return ast.copy_location(
            ast.Constant(start + " ".join(reversed(text.split())) + end), node)


class _Loader(importlib.machinery.SourceFileLoader):
    def source_to_code(self, data, path, *, _optimize=-1):
        tree = ast.parse(data, path)
        if self.name not in LANGUAGES:
            tree = ast.fix_missing_locations(_Reworded().visit(tree))
        return compile(tree, path, "exec", dont_inherit=True)

    def get_code(self, fullname):  # never from what was compiled before
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)


class _Finder(importlib.abc.MetaPathFinder):
    def find_spec(self, fullname, path, target=None):
        if not fullname.startswith("tightrope"):
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.origin is not None and spec.origin.endswith(".py"):
            spec.loader = _Loader(fullname, spec.origin)
        return spec


def verdicts():
    """What the package, as it is imported now, says of every kept document."""
    from tightrope.documents import accept, compose, content_of, read, render
    from tightrope.releases import read_plan, read_release
    from tightrope.releases.plan_documents import review_plan
    from tightrope.releases.publication import charge_of, composed, reviewed
    from tightrope.surveys import read_survey
    from tightrope.surveys.survey_file import survey_bytes

    said = {}
    for file in sorted(HERE.glob("mechanisms/2/*.json")):
        document = read(file.read_bytes())
        again = compose(accept(document), document.construction, optimality=document.optimality)
        said[file.stem] = [document.intact, render(again) == file.read_bytes(),
                           by_receipt(document.content)["holds"]]
    for file in sorted(HERE.glob("releases/*.json")):
        found = read_release(file)
        content = found.content
        again = composed(found.plan, content["drawn"], content["entry"], content["head"])
        charge = charge_of(found.plan, content["entry"]["request"]).as_json()
        said[f"release {file.stem}"] = [found.holds, render(again) == file.read_bytes(), all(
            content["entry"][name] == json.loads(json.dumps(charge))[name] for name in charge),
            by_receipt(content)["holds"] is None]  # it leaves answers to `verify`
    for file in sorted(HERE.glob("plans/*.json")):
        content = read_plan(file).content
        said[f"plan {file.stem}"] = [review_plan(content).holds,
                                     by_receipt(content)["holds"] is None]
    survey = HERE / "surveys" / "mechanisms-of-version-2.json"
    said["survey"] = [survey_bytes(read_survey(survey.read_bytes())) == survey.read_bytes()]
    changed = content_of((HERE / "releases" / "mean.json").read_bytes())
    changed["answers"][0]["value"] = 7
    said["a changed answer"] = [reviewed(changed).holds, by_receipt(changed)["intact"]]
    words = [repr(read_release(HERE / "releases" / "cross.json").plan),
             str(reviewed(changed).reason)]
    return {"verdicts": said, "books": books(), "words": words}


def by_receipt(content):
    """The report of the checker for a document, reworded like all else."""
    from tightrope import receipt, receipt_theorems

    form = content.get("mechanism", {}).get("base", content.get("mechanism", {})).get("form")
    if form in receipt_theorems.OTHERS:
        return receipt.examine(content, large=False)
    return receipt_theorems.examine(content)


def books():
    """Whether the kept books hold with the kept releases, and what requests cost again."""
    from tightrope.documents import content_of
    from tightrope.ledger import Ledger

    with TemporaryDirectory() as folder, contextlib.chdir(folder):
        for name in ("books.sqlite", "books.sqlite.key"):
            shutil.copy(HERE / "ledger" / name, name)
        Path("books.sqlite.key").chmod(0o600)
        Path("edges.csv").write_text("".join(f"{i},{i + 1}\n" for i in range(1, 40)))
        Path("curve.csv").write_text("a,b,c\n" + "1,2,3\n" * 30)
        releases = [content_of(file.read_bytes()) for file in HERE.glob("releases/*.json")]
        holds = Ledger.audit("books.sqlite", releases=releases).holds
        return {"holds": holds, **{budget: asked(command, budget) for budget, command in {
            "edges": "network edges.csv --nodes 1..40 --count edges --epsilon 1",
            "nodes": "network edges.csv --nodes 1..40 --count degrees --protect nodes "
                     "--max-degree 3 --epsilon 1",
            "curve": "curve curve.csv --columns a:c --people 30 --low 0 --high 9 --epsilon 1",
            "draw": f"draw {HERE}/mechanisms/2/geometric-path-0-2.json 0 1 2",
            "noise": "theory noise [0,1] --epsilon 1 --value 7",
        }.items()}}


def asked(command, budget):
    """Whether a kept request is known again, and answered for free."""
    from tightrope.cli import main

    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.suppress(SystemExit):
        sys.argv = ["tightrope", *command.split(), "--ledger", "books.sqlite", "--budget", budget,
                    "--request", "kept", "--json"]
        main()
    booked = json.loads(out.getvalue())["booked"]
    return [booked["again"], booked["entry"]["question"]]


if __name__ == "__main__":
    if "--reworded" in sys.argv:
        sys.meta_path.insert(0, _Finder())
    print(json.dumps(verdicts()))
