"""Writes docs/reference/commands, one page per command, from the help: `make reference`."""

from __future__ import annotations

import inspect
from enum import StrEnum
from pathlib import Path
from typing import Any

from typer.main import get_command

from tightrope.cli import application

FOLDER = Path(__file__).with_name("commands")

HEAD = """\
# The command line

These pages are generated from the help of the commands: change that, then run `make reference`.

With `--json` a command prints one JSON object on standard output and nothing else; errors are
then `{"error": sentence, "kind": …, "exit": code}`. Without it, tables are for people, and an
error is one sentence on standard error. Nothing is overwritten without `--force`, and without
`-o` nothing is written. `TIGHTROPE_DEBUG=1` adds the traceback of an error.

[Exit codes](../exit-codes.md) say how a command ended. The words are in the
[glossary](../../concepts/glossary.md).

Shell completion, also of constructions and spaces: `tightrope --install-completion`.
"""

_PLACES = (
    "rows certified evidence statement neighbors epsilon epsilon_text delta factor releases within "
    "unit region stretch step steps_apart expected_displacement displacement_95 least_displacement "
    "conventions promise clear unusable cut moved person place fresh jump construction added "
    "epsilon_per_meter_of_cells comparison cell cells draws bound gap bound_for bound_at_distance "
    "loss loss_unit remapped file mechanism booked picture"
)
"""Positions have the same fields in all commands that blur or compare; null where there is none."""
KEYS = {
    "design": "construction theorem value bound gap errors_expected epsilon epsilon_text delta "
    "level_proved certified evidence checked space inputs outputs neighbors loss goal "
    "epsilon_refuted seconds file picture",
    "compare": "rows bound epsilon epsilon_text delta space loss goal picture",
    "tradeoff": "rows space delta loss goal left picture",
    **dict.fromkeys(("locate blur", "locate cells", "locate traces", "locate compare"), _PLACES),
    "curve":
        "values half_width mean_error bound confidence epsilon epsilon_text delta knots "
        "neighbors evidence knot_times statement people low high resolution missing "
        "lipschitz monotone choices band columns curve curve_band curve_band_rests_on "
        "contradicted booked file picture",
    "certify": "certified moved changed value_before value_after epsilon epsilon_text delta "
    "level_proved evidence checked neighbors space row_error seconds file",
    "verify": "holds intact epsilon epsilon_exact delta delta_proved judged claim asked witness "
    "evidence checked optimality space neighbors row_error file",
    "inspect": "level claim intact curve tradeoff_curve row_graphs leakage dobrushin "
    "dobrushin_best generality rank determinant beliefs loose loose_count skipped space distances "
    "neighbors inputs outputs unlisted construction row_error picture",
    "reproduce": "rows drifted summary picture report",
    "draw": "answers rows epsilon epsilon_text delta epsilon_one_person delta_one_person clear "
    "mechanism file booked",
    "sanitize":
        "clear file booked removed rows columns mechanism epsilon_total "
        "epsilon_total_text split_gap",
    "survey plan":
        "epsilon epsilon_text delta respondents margin direct_respondents direct_margin worth "
        "violation prevalence difference smallest_difference confidence answer scores bound "
        "left_out rows answers grid questions picture",
    "survey new": "file store links open returns languages owner code_sha256 questions "
    "epsilon_total delta_total digest booked",
    "survey serve":
        "respondents open results embedded code_sha256 file closed port certified",
    "survey links": "number made links qr sheet",
    "survey edit":
        "file changed languages digest digest_before code_sha256 code_sha256_before law stale",
    "survey translate": "file code sentences texts",
    "survey estimate":
        "rows interval missing n confidence sampling method estimator surprise plausible "
        "picture",
    "survey results": "answers closed links questions differences tables regressions file page "
        "picture",
    "network":
        "answer worst_mean_error epsilon neighbors nodes max_degree evidence epsilon_text "
        "protect statement booked method largest count radius node_set edges_are directed "
        "curator file picture",
    "declare": "columns declaration file",
    "release": "question epsilon epsilon_text delta mechanism cells meaning kept "
    "expected_error worst_error within within_together sums biased error_unit confidence bound "
    "bound_says gap unit of rounding reads answers dataset declaration ledger_entry entry head "
    "remaining again asker_remaining superseded file picture report",
    "report": "page documents questions changes folder files",
    "locate heatmap": "question epsilon epsilon_text delta mechanism cells meaning "
    "kept expected_error worst_error within within_together sums biased error_unit confidence "
    "bound bound_says gap unit of rounding reads answers dataset declaration ledger_entry entry "
    "head remaining again asker_remaining superseded region shape cell cell_unit bounds file "
    "picture",
    "ledger account": "items epsilon epsilon_text delta at_delta epsilon_at_delta evidence meaning",
    "ledger open": "budget scope level epsilon delta spent spent_delta remaining charges "
    "unanswered people head",
    "ledger people": "budget scope level epsilon delta spent spent_delta remaining charges "
    "unanswered people",
    "ledger show": "budgets entries history head picture",
    "ledger supersede": "entry by reason head",
    "ledger verify": "holds records head broken reason only_holder superseded",
    "ledger export": "records file",
    "estimate": "rows interval missing n confidence sampling method estimator column columns "
    "picture",
    "theory score": "epsilon epsilon_text delta holds sensitivity steepest rate stated_rate "
    "stated_level smallest expected_score worst_score best_score space scores file",
    "theory sets": "is_algebra generated direction limit missing measures sets atoms file",
    "theory thresholds": "space prior from intervals open finished seconds picture",
    "theory noise": "changes symmetric neighbors sensitivity law mean_error epsilon epsilon_text "
    "delta evidence statement laws answer booked file picture",
    "theory improve": "before after change construction bound gap epsilon epsilon_text delta "
    "certified space loss goal picture row_error file",
    "theory generalize": "unchanged outputs_before outputs channel epsilon epsilon_text delta "
    "row_error file",
    "theory batch": "epsilon epsilon_text delta parts level_proved certified evidence checked "
    "neighbors space inputs outputs file",
    "theory generality": "holds channel witness deficiency deficiency_text order reverse row_error "
    "doubles first second",
    "theory query": "space values sensitivity steepest kinds uneven construction level smallest "
    "loss rows",
    "theory laplace": "diameter dimension density scale epsilon epsilon_text delta holds "
    "delta_needed epsilon_needed least_scale published_scale mean_error picture",
    "theory response": "values epsilon epsilon_text delta errors factors wrong given picture",
    "theory questions": "rows values counted epsilon epsilon_text delta questions count wrong "
    "straight estimated perturbed changed break_even sanitize picture",
    "theory excess": "epsilon epsilon_text delta holds rows all_checks checks part_checks pairs "
    "space row_error doubles",
    "theory prior": "space epsilon epsilon_text delta regular witness shares gain leakage_bound "
    "leakage_bound_any_prior min_entropy leakage private volume rows corners prior picture "
    "row_error doubles optimal_for_regular_priors optimal_for_uniform shortfall slack weights "
    "remap balls phi mu",
    "theory compatible": "family compatible reason radius failure enough rows picture",
    "theory polytope": "values outputs ratio total by_columns loose loose_several by_loose orbits "
    "file export picture",
    "theory axioms": "predicate transformation_invariance choice counterexample satisfiable exact "
    "grid scope bound bound_at_zero",
    "theory accuracy": "epsilon_star lower upper radius failure balls space values lipschitz "
    "packing exponential enough rows picture",
    "theory measure": "measure theorem value bound gap epsilon epsilon_text delta certified "
    "evidence level_proved checked neighbors space outputs seconds file picture",
}
"""The fields of each command's JSON object; a test runs the commands and compares."""


def pages() -> dict[str, str]:
    """The text of every page by its file name."""
    commands = commands_of(get_command(application()))
    return {"index.md": index(commands)} | {
        file_name(name): section(name, command) for name, command in commands
    }


def file_name(name: str) -> str:
    """The file that describes a command."""
    return f"{name.replace(' ', '-')}.md"


def index(commands: list[tuple[str, Any]]) -> str:
    """The list of all commands with a sentence each."""
    lines = [HEAD, "| command | does |", "|---|---|"]
    lines += [
        f"| [{name}]({file_name(name)}) | {summary(command)} |" for name, command in commands
    ]
    return "\n".join([*lines, ""])


def summary(command: Any) -> str:
    """The first sentence of a command's help."""
    paragraph = " ".join(inspect.cleandoc(command.help or "").partition("\n\n")[0].split())
    sentence, dot, _ = paragraph.partition(". ")
    return (sentence + "." if dot else paragraph).replace("|", r"\|")


def commands_of(group: Any, prefix: str = "") -> list[tuple[str, Any]]:
    """Every command with its full name, those of groups in their place."""
    found = []
    for name, made in group.commands.items():
        inner = hasattr(made, "commands")
        found += commands_of(made, f"{prefix}{name} ") if inner else [(f"{prefix}{name}", made)]
    return found


def section(name: str, command: Any) -> str:
    """The page of one command."""
    text = inspect.cleandoc(command.help or "")
    about, _, example = text.partition("Example: ")
    lines = [f"# {name}", "", " ".join(about.split()), ""]
    if example:
        lines += ["```console", f"$ {' '.join(example.split())}", "```", ""]
    lines += ["| argument or option | meaning |", "|---|---|"]
    lines += [row(part) for part in command.params if part.name != "help"]
    fields = ", ".join(f"`{key}`" for key in KEYS[name].split())
    return "\n".join([*lines, "", f"JSON: {fields}.", ""])


def row(part: Any) -> str:
    """One argument or option."""
    if part.param_type_name == "argument":
        name = part.metavar
    else:
        longest = max(part.opts, key=len)
        name = ", ".join([longest, *(short for short in part.opts if short != longest)])
        named = part.metavar or "|".join(choices_of(part))
        name += f" {named}" if named else ""
    notes = part.help
    if part.required and part.param_type_name == "option":
        notes += " Required."
    elif isinstance(part.default, str | int | float) and not isinstance(part.default, bool):
        notes += f" Default: `{part.default}`."
    escaped = name.replace("|", r"\|")
    return f"| `{escaped}` | {notes} |"


def choices_of(part: Any) -> list[str]:
    """What an option offers to choose from, nothing for other options."""
    kind = part.type_descriptor.annotation
    return list(kind) if isinstance(kind, type) and issubclass(kind, StrEnum) else []


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.md"):
        old.unlink()
    for name, text in pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
