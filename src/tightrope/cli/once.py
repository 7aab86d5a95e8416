"""An option that takes one value is given once: a second one is refused, not silently taken."""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand

from tightrope.errors import BadInput


class OnceCommand(TyperCommand):
    """A command that refuses an option given twice, unless it takes several values.

    A flag says the same however often it is given.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the words, after a check that no option is given twice."""
        if not ctx.resilient_parsing:
            _, _, named = self.make_parser(ctx).parse_args(args=list(args))
            options: list[Any] = [param for param in named if param.param_type_name == "option"]
            for option in options:
                flag = option.is_flag and not option.secondary_opts
                if not option.multiple and not flag and options.count(option) > 1:
                    raise BadInput(
                        f"{max(option.opts, key=len)} is given twice, and only one can count; "
                        "give it once."
                    )
        rest: list[str] = super().parse_args(ctx, args)
        return rest
