import type { Deployment } from './deployment.js'

/** Room for the suffixes that the operator appends to pod and service names, which end at 63 characters. */
const MAX_NAME = 40
const MAX_MODEL = 20

function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
}

/** Name of the deployment object: model, mode, backend and candidate; a DNS label. */
export function manifestName(deployment: Deployment): string {
  const base = slug(deployment.model.split('/').at(-1) ?? '')
    .slice(0, MAX_MODEL)
    .replace(/-+$/, '')
  const tail = `${deployment.mode}-${deployment.backend}-c${deployment.candidate}`
  const head = /^[a-z]/.test(base) ? base : `m${base === '' ? '' : '-'}${base}`
  return `${head}-${tail}`.slice(0, MAX_NAME).replace(/-+$/, '')
}
