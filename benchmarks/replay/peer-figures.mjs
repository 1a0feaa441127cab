/**
 * CPU seconds and peak memory of the Rust simulation core of `ai-dynamo-runtime` 1.4.2, imports left out, as published for one
 * core of another machine: compare ratios, not seconds. `--peer PYTHON` measures the peer here instead.
 */
export const published = {
  a: { cpuSeconds: 1.1, rssMb: 94, warmTarget: 100, coldTarget: 12 },
  "a'": { cpuSeconds: 0.77, rssMb: 97, warmTarget: 100, coldTarget: 12 },
  b: { cpuSeconds: 12.8, rssMb: 762, warmTarget: 4, coldTarget: 3 },
  "b'": { cpuSeconds: 6.4, rssMb: 719, warmTarget: 4, coldTarget: 3 },
  c: { cpuSeconds: 5.4, rssMb: 225, warmTarget: 30, coldTarget: 8 },
  'c"': { cpuSeconds: 15.4, rssMb: null, warmTarget: 60, coldTarget: 20 },
}

export const install =
  "python3 -m venv v && v/bin/pip install --no-deps ai-dynamo-runtime==1.4.2 ai-dynamo==1.4.2 && v/bin/pip install pydantic uvloop 'transformers<5' aiohttp kubernetes msgspec prometheus-client pyzmq zstandard numpy pyyaml"
