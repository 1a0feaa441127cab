import { components } from './component.js'
import type { Deployment } from './deployment.js'
import type { DynamoRelease } from './dynamo-version.js'
import { TRTLLM_CONFIG_FOLDER, trtllmConfigFile, trtllmEngineYaml } from './trtllm-args.js'

const SAFE = /^[A-Za-z0-9_@%+=:,./-]+$/

/** A word a POSIX shell reads back as it is. */
export function shellQuote(word: string): string {
  return SAFE.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

/** A shell script with one command line a component, for running a deployment by hand. */
export function engineCommands(deployment: Deployment, release: DynamoRelease): string {
  const lines = [
    '#!/bin/sh',
    `# Candidate ${deployment.candidate}: one command line per component (Dynamo ${release.version}).`,
  ]
  lines.push('# Each worker line is for one replica; run it as often as its comment says.', '')
  if (deployment.backend === 'trtllm') {
    lines.push(`mkdir -p ${TRTLLM_CONFIG_FOLDER}`)
    for (const pool of deployment.pools) {
      lines.push(`cat > ${TRTLLM_CONFIG_FOLDER}/${trtllmConfigFile(pool)} <<'YAML'`)
      lines.push(trtllmEngineYaml(deployment, pool).trimEnd(), 'YAML')
    }
    lines.push('')
  }
  for (const part of components(deployment, release)) {
    const gpus = part.gpusPerPod > 0 ? `, ${part.gpusPerPod} GPUs on each of ${part.nodes} node(s)` : ''
    lines.push(`# ${part.name}: ${part.replicas} replica(s)${gpus}`)
    const env = Object.entries(part.env).map(([key, value]) => `${key}=${shellQuote(value)}`)
    lines.push([...env, 'python3', '-m', part.module, ...part.args.map(shellQuote)].join(' '), '')
  }
  return lines.join('\n')
}
