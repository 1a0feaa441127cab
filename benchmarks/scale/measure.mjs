// Runs the built spica in a child process and reports its seconds and peak memory.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const MAIN = fileURLToPath(new URL('../../packages/spica-cli/dist/main.js', import.meta.url))

/** Peak resident memory of a process so far, MB; null where the system does not tell. */
function peakMb(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) / 1024
  } catch {
    return null
  }
}

/** Runs spica with the arguments: wall seconds, peak MB, exit code. Output goes to the log only when it fails. */
export function run(args, options = {}) {
  return new Promise((resolve, reject) => {
    const started = performance.now()
    const child = spawn(process.execPath, [...(options.node ?? []), MAIN, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let out = ''
    let log = ''
    let peak = 0
    child.stdout.on('data', (data) => {
      out += data
    })
    child.stderr.on('data', (data) => {
      log = (log + data).slice(-2000)
    })
    const timer = setInterval(() => {
      peak = Math.max(peak, peakMb(child.pid) ?? 0)
      options.onSample?.(child)
    }, 50)
    child.on('close', (code) => {
      clearInterval(timer)
      const result = { seconds: (performance.now() - started) / 1000, peakMb: peak, code, out, log }
      if (code === 0 || options.mayFail) resolve(result)
      else reject(new Error(`spica ${args.join(' ')} ended with ${code}: ${log}`))
    })
  })
}

/** Growth exponent of cost over size by least squares in logarithms. */
export function exponent(points) {
  const xs = points.map(([size]) => Math.log(size))
  const ys = points.map(([, cost]) => Math.log(cost))
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length
  const mx = mean(xs)
  const my = mean(ys)
  const top = xs.reduce((sum, x, i) => sum + (x - mx) * (ys[i] - my), 0)
  return top / xs.reduce((sum, x) => sum + (x - mx) ** 2, 0)
}

export function table(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
