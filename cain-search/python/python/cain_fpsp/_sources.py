"""Declarations: chosen by name, compiled, and verified."""

import re
import warnings
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

from . import _arrays
from ._native import CainError, Compiled, Source, parse
from ._networks import Network
from ._programs import Other, Program, Progress

#: An option of the search in a message about a kernel file.
_KEY = re.compile(r"`search\.(\w+) = ([^`]*)`")

#: What is told of a search; a program that was only verified has none of it.
_OF_SEARCHES = ("nodes", "ms", "ms_to_best", "ms_to_first", "stop", "lower_bound")


def parsed(text: str, has_places: bool, stacklevel: int = 3) -> List[Source]:
    """What the text of a kernel file declares. Remarks are warnings; without places, they name arguments."""
    sources, remarks = parse(_arrays.text("text", text), has_places)
    if not has_places:
        remarks = [_KEY.sub(r"`\1=\2`", remark) for remark in remarks]
    return warned((sources, remarks), stacklevel + 1)


def warned(found: Tuple[List[Source], List[str]], stacklevel: int = 3) -> List[Source]:
    """Declarations, whose remarks are warnings."""
    sources, remarks = found
    for remark in remarks:
        warnings.warn(remark, stacklevel=stacklevel)
    return sources


def compiled(
    sources: List[Source],
    names: Optional[Sequence[str]],
    nodes: Optional[int],
    plans: bool,
    progress: Progress,
    text: Optional[str] = None,
) -> Dict[str, Union[Program, Network, Other]]:
    """The programs of the declarations with these names, or of all, and of the text in which they are, if it is one."""
    nodes = _arrays.nodes(nodes)
    chosen = _by_name(sources, _arrays.texts("names", names))
    found = {source.name: wrapped(source.compile(nodes, plans, progress)) for source in chosen}
    for program in found.values():
        program._text = text
    return found


def wrapped(native: Compiled) -> Union[Program, Network, Other]:
    """The class for the kind of declaration."""
    kind = native.source.kind
    if kind == "network":
        return Network(native)
    try:
        native.registers
    except CainError:
        return Other(native)
    return Program(native) if kind == "filter" else Other(native)


def verified(native: Compiled) -> Program:
    """A program without a search."""
    program = Program(native)
    for key in _OF_SEARCHES:
        program._record.pop(key, None)
    return program


def proved_again(text: str, name: str, listing: str, record: Dict[str, Any]) -> Program:
    """A program from elsewhere, with what was told of it there."""
    sources, _ = parse(text, False)
    (source,) = [source for source in sources if source.name == name]
    program = Program(source.verify(listing))
    program._record, program._text = record, text
    return program


def _by_name(sources: Sequence[Source], names: Optional[Sequence[str]]) -> List[Source]:
    """The declarations of these names, or all."""
    known: Dict[str, Source] = {}
    again: Dict[str, Source] = {}
    for source in sources:
        first = known.setdefault(source.name, source)
        # Several sources may name one kernel file.
        if source.place != first.place:
            again.setdefault(source.name, source)
    names = list(known if names is None else names)
    for name in names:
        if name not in known:
            there = ", ".join(f"`{name}`" for name in known)
            raise CainError(f"there is nothing named `{name}`; there are {there}")
        if name in again:
            places = f"{known[name].place} and {again[name].place}"
            raise CainError(f"there are two programs named `{name}`, at {places}; load the files one by one, or rename one")
    return [known[name] for name in names]
