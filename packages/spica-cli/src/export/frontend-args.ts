import type { Deployment } from './deployment.js'

const HTTP_PORT = 8000
const ADMISSION_FLAGS: Readonly<Record<string, string>> = {
  active_decode_blocks_threshold: '--active-decode-blocks-threshold',
  active_prefill_tokens_threshold: '--active-prefill-tokens-threshold',
  active_prefill_tokens_threshold_frac: '--active-prefill-tokens-threshold-frac',
}

/** Arguments of `python3 -m dynamo.frontend`. The router hashes prompts in the blocks of the workers that prefill. */
export function frontendArgs(deployment: Deployment): string[] {
  const args = ['--http-port', String(HTTP_PORT)]
  const { kv } = deployment.router
  if (kv === null) return [...args, '--router-mode', 'round-robin']
  args.push('--router-mode', 'kv', '--kv-cache-block-size', String(deployment.pools[0]?.blockSize))
  for (const [flag, value] of Object.entries(kv)) args.push(flag, decimal(value))
  for (const [name, flag] of Object.entries(ADMISSION_FLAGS)) {
    if (deployment.admission[name] !== undefined) args.push(flag, String(deployment.admission[name]))
  }
  return args
}

/** A number that a reader of floats takes: `1` becomes `1.0`. */
function decimal(value: number): string {
  return Number.isInteger(value) ? value.toFixed(1) : String(value)
}
