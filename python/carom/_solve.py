# SPDX-License-Identifier: Apache-2.0
"""One impact."""

import json

from carom._errors import InputError, of_keywords
from carom._laws import all_named
from carom._native import native
from carom._outcome import Comparison, Outcome
from carom._scenario import plain, scenario_of

_solve_contact = native.solve_contact

#: The forms of a line of `carom solve --stream`.
_FORMS = ("inverse_inertia", "bodies", "directions")


def solve(scenario=None, /, *, law=None, inverse_inertia=None, approach=None, components=0, surfaces=None, model=None,
          q=None, u=None, time=0.0, **keywords):
    """Asks one law, or several, about one impact.

    What strikes is one of
      inverse_inertia=, approach=   contact space: G [1/kg] and v- [m/s], arrays or nested lists. One contact has
                                    1, 2 (plane) or 3 (space) rows; of several contacts say `components`, or give
                                    approach with a row for each contact.
      system=, ...                  what the table [system] of a scenario file says: system="bar", angle_deg=60, ...
      scenario                      a file's name, a carom.Scenario, a dict of tables; keywords change it
      model=, q=, u=                a model written in Python, in a state; what touches there strikes

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
    if inverse_inertia is not None and type(law) is str and scenario is None:
        try:
            return Outcome(_solve_contact(law, inverse_inertia, approach, components, keywords, surfaces), law)
        except InputError as error:
            raise error.of_arguments() from None
    with of_keywords():
        return _solve(scenario, law, inverse_inertia, approach, components, surfaces, model, q, u, time, keywords)


def _solve(scenario, law, inverse_inertia, approach, components, surfaces, model, q, u, time, keywords):
    several = law is None or isinstance(law, (list, tuple))
    laws = list(law or ()) if several else [law]
    if law is not None and not laws:
        raise InputError("law", "must name a law, got an empty list")
    if model is not None:
        if law is None:
            raise InputError("law", "is missing: name one for a model")
        return _each(laws, several, lambda name: native.solve_model(name, model, time, q, u, keywords, surfaces))
    if inverse_inertia is not None:
        if scenario is not None:
            raise InputError("inverse_inertia", "must not stand beside a scenario")
        left_out = ()
        if law is None:
            laws, left_out = native.applying(inverse_inertia, approach, components, keywords, surfaces)
        return _each(laws, several, lambda name: _solve_contact(name, inverse_inertia, approach, components, keywords,
                                                                surfaces), left_out)
    if approach is not None:
        raise InputError("inverse_inertia", "is missing beside approach")
    if isinstance(scenario, dict) and "system" not in scenario and any(form in scenario for form in _FORMS):
        return _of_stream(scenario, laws, several)
    if components:
        keywords["components"] = components
    if surfaces is not None:
        keywords["surfaces"] = surfaces
    given = scenario_of(scenario, keywords)
    text, name = given.text, given.name
    with all_named(laws) as names:
        answers, left_out = native.solve_scenario(text, name, names)
    source = (text, name, [answer.law for answer in answers])
    outcomes = [Outcome(answer, source=(text, name, [answer.law])) for answer in answers]
    return Comparison(outcomes, left_out, source) if several else outcomes[0]


def _each(laws, several, ask, left_out=()):
    with all_named(laws) as names:
        outcomes = [Outcome(ask(name), name) for name in names]
    return Comparison(outcomes, left_out) if several else outcomes[0]


def _of_stream(problem, laws, several):
    """A problem as a line of the stream: {"bodies": ..., "frame": ..., "surface": ...}."""
    line = plain(problem, "problem")
    if not laws:
        if "law" not in line:
            raise InputError("law", "is missing")
        return Outcome(native.solve_json(json.dumps(line)), line["law"])

    def ask(name):
        return native.solve_json(json.dumps(line | {"law": name}))

    return _each(laws, several, ask)
