"""Arguments of functions as options of the command, and messages about options as messages about arguments."""

import re
from typing import Any, List, Mapping

import numpy as np

from ._native import CainError

#: An option in a message, with its value if it has one; brackets of a placeholder belong to no value.
_OPTION = re.compile(r"(?<![\w-])--([a-z][a-z-]*)(?:[= ](-?[\d.]*\d|LO)\.\.(-?[\d.]*\d|HI)|=(\d[\d.]*))?(?: <[^<>]*>)?")
#: Options without a value.
_FLAGS = ("force", "in_pixel", "no_check")


def arguments(options: Mapping[str, Any]) -> List[str]:
    """The options of the command for these arguments."""
    found = []
    for key, value in options.items():
        option = "--" + key.replace("_", "-")
        if isinstance(value, (tuple, list, np.ndarray)):
            if len(value) != 2:
                raise CainError(f"`{key}` has {len(value)} numbers; expected two, such as `{key}=(0, 1)`")
            low, high = value
            found.append(f"{option}={low}..{high}")
        elif isinstance(value, (bool, np.bool_)):
            found += [option] if value else []
        elif value is not None:
            found.append(f"{option}={value}")
    return found


def in_python(message: str) -> str:
    """A message of the command in terms of arguments."""

    def argument(match: "re.Match[str]") -> str:
        name, low, high, value = match.groups()
        key = name.replace("-", "_")
        if low is not None:
            return f"{key}=({low}, {high})"
        if value is not None:
            return f"{key}={value}"
        return f"{key}=True" if key in _FLAGS else key

    message = re.sub(r"\n\n( *tip: to pass .*|For more information, .*)", "", message)
    return _OPTION.sub(argument, message.replace("`-o`", "`output`"))
