import { runCli } from '../src/run-cli.js'

/** What a command line left behind. */
export interface CliRun {
  readonly args: readonly string[]
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Longest output that is kept of one run, characters. */
const MAX_OUTPUT = 20_000_000

/** Runs a command line in this process, as the binary would. */
export async function runCaptured(args: readonly string[]): Promise<CliRun> {
  let stdout = ''
  let stderr = ''
  const code = await runCli(args, {
    stdout: { write: (text) => stdout.length < MAX_OUTPUT && void (stdout += text) },
    stderr: { write: (text) => stderr.length < MAX_OUTPUT && void (stderr += text) },
    onInterrupt: () => () => {},
  })
  return { args, code, stdout, stderr }
}

/** Complaints that hold for every command: documented exit code, one message and no stack trace, no number that is none. */
export function judgeRun(run: CliRun, allowedCodes: readonly number[] = [0, 1, 2]): string[] {
  const complaints: string[] = []
  const all = run.stdout + run.stderr
  if (!allowedCodes.includes(run.code)) complaints.push(`exit code ${run.code}: ${run.stderr.slice(0, 400)}`)
  if (/defect of spica/.test(all)) complaints.push(`a defect reached the user: ${run.stderr.slice(0, 400)}`)
  if (/\n\s+at .+[:(]\d*|node:internal/.test(run.stderr)) complaints.push(`a stack trace: ${run.stderr.slice(0, 400)}`)
  if (/\[object Object\]|\bundefined\b/.test(run.stderr))
    complaints.push(`an unclear message: ${run.stderr.slice(0, 400)}`)
  if (run.code === 2 && run.stderr.trim() === '' && run.stdout.trim() === '')
    complaints.push('code 2 without a message')
  return complaints
}

/** Complaints about a JSON document: it must parse, and hold no null where `mayBeNull` does not allow one. */
export function judgeJson(text: string, mayBeNull: (path: string) => boolean): string[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return [`output is not JSON: ${(error as Error).message}: ${text.slice(0, 200)}`]
  }
  const complaints: string[] = []
  const visit = (inner: unknown, path: string): void => {
    if (inner === null && !mayBeNull(path)) complaints.push(`${path} is null, so it was no finite number`)
    if (inner !== null && typeof inner === 'object')
      for (const [key, item] of Object.entries(inner)) visit(item, `${path}.${key}`)
  }
  visit(value, '$')
  return complaints
}
