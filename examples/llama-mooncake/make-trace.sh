#!/usr/bin/env bash
# Generates the trace of this example; the same command gives the same bytes.
set -euo pipefail
cd "$(dirname "$0")"
node ../../packages/spica-cli/dist/main.js trace synth --out trace.jsonl --requests 2000 --rate 5 --burstiness 2 \
  --profile sine --period 300 --amplitude 0.6 --isl 6000 --isl-p99 24000 --isl-max 30000 --osl 180 --osl-p99 900 \
  --osl-max 2000 --prefix-hit-rate 0.4 --prefix-groups 60 --seed 11
gzip -9 -n -f trace.jsonl
