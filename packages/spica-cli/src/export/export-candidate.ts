import type { UnrolledSample } from '@spica/schema'
import { type DeploymentFacts, deploymentOf } from './deployment.js'
import { dynamoRelease } from './dynamo-version.js'
import { engineCommands } from './engine-commands.js'
import { manifestYaml } from './manifest.js'
import { deploymentWarnings, undeployable } from './undeployable.js'

export interface ExportFile {
  readonly name: string
  readonly text: string
}

export type ExportResult =
  | { readonly ok: true; readonly files: readonly ExportFile[]; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly code: string; readonly message: string }

/**
 * A candidate as Kubernetes manifests in both API versions and as command lines. Pure: the caller writes the files.
 * @param sample the candidate's `config`
 * @param dynamoVersion picks images and flags
 * @throws SpicaError `unsupported-dynamo-version`
 */
export function exportCandidate(sample: UnrolledSample, facts: DeploymentFacts, dynamoVersion: string): ExportResult {
  const release = dynamoRelease(dynamoVersion)
  const deployment = deploymentOf(sample, facts)
  const obstacle = undeployable(deployment, release)
  if (obstacle !== null) return { ok: false, ...obstacle }
  return {
    ok: true,
    files: [
      { name: 'deployment.yaml', text: manifestYaml(deployment, release, 'v1beta1') },
      { name: 'deployment-v1alpha1.yaml', text: manifestYaml(deployment, release, 'v1alpha1') },
      { name: 'commands.sh', text: engineCommands(deployment, release) },
    ],
    warnings: deploymentWarnings(deployment, release),
  }
}
