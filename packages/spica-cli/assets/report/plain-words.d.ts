export function backendName(backend: unknown): string
export function deploymentInWords(config: Readonly<Record<string, unknown>>): string[]
