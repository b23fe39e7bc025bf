"""Cases that several tests share: Clauses added one by one: every draw followed, all neighbours compared; never forced."""

from tests.complete import complete

from tacit.problems.tables.grown_formulas import GrownFormulaLearner


def learner(*, schema=None, form="cnf", many=2, epsilon=1, **more):
    schema = complete([bool]) if schema is None else schema
    more = {"columns": 1} | more
    return GrownFormulaLearner(schema=schema, form=form, clauses=many, epsilon=epsilon, **more)
