"""Optuna samplers as a peer, spoken to over lines of JSON on stdin and stdout.

First line in: {"sampler", "seed", "parameters", "objectives"}. Then {"ask": n} answers a list of {"id", "parameters"},
and {"tell": [{"id", "values" or null}]} answers {}.
"""

import json
import sys
import warnings

import optuna

warnings.filterwarnings("ignore")
optuna.logging.set_verbosity(optuna.logging.ERROR)


def distribution(p):
    if p["kind"] == "float":
        return optuna.distributions.FloatDistribution(p["min"], p["max"], log=p.get("scale") == "log")
    if p["kind"] == "integer":
        return optuna.distributions.IntDistribution(p["min"], p["max"])
    return optuna.distributions.CategoricalDistribution(p["values"])


def ordinal(p):
    """Ordered menus are searched by index, so that samplers see their order."""
    return p["kind"] == "discrete"


def main():
    setup = json.loads(sys.stdin.readline())
    space = {
        p["name"]: optuna.distributions.IntDistribution(0, len(p["values"]) - 1) if ordinal(p) else distribution(p)
        for p in setup["parameters"]
    }
    menus = {p["name"]: p["values"] for p in setup["parameters"] if ordinal(p)}
    seed = setup["seed"]
    if setup["sampler"] == "nsga2":
        sampler = optuna.samplers.NSGAIISampler(seed=seed, population_size=16)
    elif setup["sampler"] == "tpe-constant-liar":
        sampler = optuna.samplers.TPESampler(seed=seed, constant_liar=True)
    else:
        sampler = optuna.samplers.TPESampler(seed=seed)
    study = optuna.create_study(directions=[o["direction"] for o in setup["objectives"]], sampler=sampler)
    trials = {}
    for line in sys.stdin:
        request = json.loads(line)
        if "ask" in request:
            answer = []
            for _ in range(request["ask"]):
                trial = study.ask(space)
                trials[trial.number] = trial
                x = {k: menus[k][v] if k in menus else v for k, v in trial.params.items()}
                answer.append({"id": trial.number, "parameters": x})
        else:
            for outcome in request["tell"]:
                if outcome["values"] is None:
                    study.tell(trials[outcome["id"]], state=optuna.trial.TrialState.FAIL)
                else:
                    study.tell(trials[outcome["id"]], outcome["values"])
            answer = {}
        print(json.dumps(answer), flush=True)


main()
