"""Vizier's default algorithm as a peer; the protocol of optuna_peer.py."""

import json
import sys

from vizier import benchmarks as _  # noqa: F401  fails early where the extras are missing
from vizier import pyvizier as vz
from vizier._src.algorithms.designers import gp_ucb_pe
from vizier._src.algorithms.core import abstractions


def main():
    setup = json.loads(sys.stdin.readline())
    problem = vz.ProblemStatement()
    root = problem.search_space.root
    for p in setup["parameters"]:
        scale = vz.ScaleType.LOG if p.get("scale") == "log" else vz.ScaleType.LINEAR
        if p["kind"] == "float":
            root.add_float_param(p["name"], p["min"], p["max"], scale_type=scale)
        elif p["kind"] == "integer":
            root.add_int_param(p["name"], p["min"], p["max"])
        elif p["kind"] == "discrete":
            root.add_discrete_param(p["name"], p["values"], scale_type=scale)
        else:
            root.add_categorical_param(p["name"], p["values"])
    for o in setup["objectives"]:
        goal = vz.ObjectiveMetricGoal.MAXIMIZE if o["direction"] == "maximize" else vz.ObjectiveMetricGoal.MINIMIZE
        problem.metric_information.append(vz.MetricInformation(name=o["name"], goal=goal))
    designer = gp_ucb_pe.VizierGPUCBPEBandit(problem, rng=__import__("jax").random.PRNGKey(setup["seed"]))
    trials = {}
    for line in sys.stdin:
        request = json.loads(line)
        if "ask" in request:
            answer = []
            for suggestion in designer.suggest(request["ask"]):
                trial = suggestion.to_trial(len(trials) + 1)
                trials[trial.id] = trial
                answer.append({"id": trial.id, "parameters": trial.parameters.as_dict()})
        else:
            done = []
            for outcome in request["tell"]:
                trial = trials[outcome["id"]]
                if outcome["values"] is None:
                    trial.complete(vz.Measurement(), infeasibility_reason="constraint")
                else:
                    metrics = {o["name"]: v for o, v in zip(setup["objectives"], outcome["values"])}
                    trial.complete(vz.Measurement(metrics=metrics))
                done.append(trial)
            designer.update(abstractions.CompletedTrials(done), abstractions.ActiveTrials([]))
            answer = {}
        print(json.dumps(answer), flush=True)


main()
