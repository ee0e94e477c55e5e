# SPDX-License-Identifier: Apache-2.0
"""One impact."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, overload

from numpy.typing import ArrayLike

from carom._arguments import whole
from carom._errors import InputError, of_keywords
from carom._laws import LawLike, all_named
from carom._models import Model, StateLike, asked
from carom._native import native
from carom._outcome import Comparison, Outcome, Source
from carom._scenario import SOLVE_KEYS, Scenario, ScenarioLike, plain

_solve_contact = native.solve_contact

#: The forms of a line of `carom solve --stream`.
_FORMS = ("inverse_inertia", "bodies", "directions")


@overload
def solve(scenario: ScenarioLike | None = None, /, *, law: LawLike,
          inverse_inertia: ArrayLike | None = None, approach: ArrayLike | None = None, components: int = 0,
          surfaces: Sequence[Mapping[str, Any]] | Mapping[str, Any] | None = None, model: Model | None = None,
          q: StateLike | None = None, u: StateLike | None = None,
          **keywords: Any) -> Outcome: ...
@overload
def solve(scenario: ScenarioLike | None = None, /, *,
          law: list[Any] | tuple[Any, ...] | None = None,
          inverse_inertia: ArrayLike | None = None, approach: ArrayLike | None = None, components: int = 0,
          surfaces: Sequence[Mapping[str, Any]] | Mapping[str, Any] | None = None, model: Model | None = None,
          q: StateLike | None = None, u: StateLike | None = None,
          **keywords: Any) -> Comparison: ...
def solve(scenario: ScenarioLike | None = None, /, *,
          law: LawLike | Sequence[LawLike] | None = None,
          inverse_inertia: ArrayLike | None = None, approach: ArrayLike | None = None, components: int = 0,
          surfaces: Sequence[Mapping[str, Any]] | Mapping[str, Any] | None = None, model: Model | None = None,
          q: StateLike | None = None, u: StateLike | None = None,
          **keywords: Any) -> Outcome | Comparison:
    """Asks one law, or several, about one impact.

    What strikes is one of
      inverse_inertia=, approach=   contact space: G [1/kg] and v- [m/s], arrays or nested lists. One contact has
                                    1, 2 (plane) or 3 (space) rows; of several contacts say `components`, or give
                                    approach with a row for each contact.
      system=, ...                  what the table [system] of a scenario file says: system="bar", angle_deg=60, ...
      scenario                      a file's name, a carom.Scenario, a dict of tables; keywords change it
      model=, q=, u=                a model written in Python (see carom.Model), in a state. What touches there strikes;
                                    contacts=["floor"] names the contacts instead; model's numbers by their names

    law        a name (see carom.laws()), a function from a carom Problem to its impulse, or a list of these.
               None: all laws that apply.
    surfaces   a dict of coefficients for each contact, instead of:
    keywords   coefficients (restitution, friction, static_friction, ...; see carom.coefficients()), one for all
               contacts or one for each; options of laws (tolerance, solver, hypothesis, ...)

    Returns an Outcome; for several laws a Comparison. Raises carom.InputError.

    >>> import carom
    >>> carom.solve(law="moreau", inverse_inertia=[[2, 0], [0, 3]], approach=[-1, 0.2],
    ...             restitution=0.5, friction=0.4).impulse.tolist()
    [0.75, -0.06666666666666667]
    >>> carom.solve(law=["newton", "poisson"], inverse_inertia=[[1, 0.9], [0.9, 1]], approach=[-1, -0.5],
    ...             restitution=1, friction=1).laws
    ['newton', 'poisson']
    """
    if components:
        components = whole(components, "components")
    if inverse_inertia is not None and type(law) is str and scenario is None and model is None:
        try:
            return Outcome(_solve_contact(law, inverse_inertia, approach, components, keywords, surfaces), law,
                           (keywords, surfaces, [law]))
        except InputError as error:
            raise error.of_arguments() from None
    with of_keywords():
        return _solve(scenario, law, inverse_inertia, approach, components, surfaces, model, q, u, keywords)


def _solve(scenario: Any, law: Any, inverse_inertia: Any, approach: Any, components: int, surfaces: Any, model: Any,
           q: Any, u: Any, keywords: dict[str, Any]) -> Outcome | Comparison:
    several = law is None or isinstance(law, (list, tuple))
    laws = list(law or ()) if several else [law]
    if law is not None and not laws:
        raise InputError("law", "must name a law, got an empty list")
    if inverse_inertia is not None:
        for name, other in (("scenario", scenario), ("model", model)):
            if other is not None:
                raise InputError("inverse_inertia", f"must not stand beside a {name}")
        left_out: list[tuple[str, str]] = []
        if law is None:
            laws, left_out = native.applying(inverse_inertia, approach, components, keywords, surfaces)
        return _each(laws, several, lambda name: _solve_contact(name, inverse_inertia, approach, components, keywords,
                                                                surfaces), left_out, (keywords, surfaces))
    if model is None and isinstance(scenario, Mapping) and "system" not in scenario and any(
            form in scenario for form in _FORMS):
        return _of_stream(scenario, laws, several)
    if approach is not None:
        raise InputError("inverse_inertia", "is missing beside approach")
    for name, given in (("components", components or None), ("surfaces", surfaces)):
        if given is not None:
            keywords[name] = given
    with asked(scenario, keywords, SOLVE_KEYS, model, q, u) as (given, _), all_named(laws) as names:
        text, name = given.text, given.name
        answers, left_out = native.solve_scenario(text, name, names)

    drawn: list[LawLike] = laws or [answer.law for answer in answers]

    def source(of: list[LawLike]) -> Source | None:
        return (text, name, of) if model is None else None

    outcomes = [Outcome(answer, source=source([one])) for answer, one in zip(answers, drawn)]
    return Comparison(outcomes, left_out, source(drawn)) if several else outcomes[0]


def again(law: LawLike, given: Any, name: Any, inverse_inertia: Any = None, approach: Any = None,
          components: int = 0) -> Outcome | Comparison:
    """The outcome of a scenario, (text, name), or of keywords and surfaces in contact space: for pickle."""
    if isinstance(given, str):
        return solve(Scenario(name, text=given), law=law)
    return solve(law=law, inverse_inertia=inverse_inertia, approach=approach, components=components, surfaces=name, **given)


def _each(laws: Iterable[LawLike], several: bool, ask: Callable[[str], Any],
          left_out: Iterable[tuple[str, str]] = (), given: tuple[Any, Any] | None = None) -> Outcome | Comparison:
    laws = list(laws)

    def source(of: list[LawLike]) -> Source | None:
        return None if given is None else (*given, of)

    with all_named(laws) as names:
        outcomes = [Outcome(ask(name), name, source([law])) for name, law in zip(names, laws)]
    return Comparison(outcomes, left_out, source(laws)) if several else outcomes[0]


def _of_stream(problem: Mapping[str, Any], laws: list[LawLike], several: bool) -> Outcome | Comparison:
    """A problem as a line of the stream: {"bodies": ..., "frame": ..., "surface": ...}."""
    line = plain(dict(problem), "problem")
    if not laws:
        if "law" not in line:
            raise InputError("law", "is missing")
        return Outcome(native.solve_json(json.dumps(line)), line["law"])

    def ask(name: str) -> Any:
        return native.solve_json(json.dumps(line | {"law": name}))

    return _each(laws, several, ask)
