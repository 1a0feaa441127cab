import { readFileSync } from 'node:fs'

/** Modules of the page's script; a module stands after those it imports. */
const MODULES = [
  'axis.js',
  'dom.js',
  'model.js',
  'plain-words.js',
  'view-state.js',
  'plot-frame.js',
  'plot-marks.js',
  'tooltip.js',
  'plot.js',
  'plot-input.js',
  'filters.js',
  'table.js',
  'time-chart.js',
  'page-section.js',
  'load-sections.js',
  'manifest-section.js',
  'candidate-page.js',
  'main.js',
] as const

/** Parts of the style sheet, in the order of the cascade. */
const STYLES = ['base.css', 'controls.css', 'plot.css', 'tables.css', 'candidate.css', 'media.css'] as const

const FOLDER = new URL('../../assets/report/', import.meta.url)

/** The page's script: the modules in order, each in a scope of its own, so that the page needs no module loader. */
export function clientScript(): string {
  const parts = MODULES.map((name) => scoped(name, read(name)))
  return `(() => {\n'use strict'\nconst modules = {}\n${parts.join('\n')}\n})()`
}

/** The page's style sheet. */
export function styleSheet(): string {
  return STYLES.map((name) => read(name)).join('')
}

function read(name: string): string {
  return readFileSync(new URL(name, FOLDER), 'utf8')
}

/** A module as a function that is called at once; imports and exports go through `modules`. */
function scoped(name: string, source: string): string {
  const exported = [...source.matchAll(/^export (?:async )?(?:function|const|class) (\w+)/gm)].map((match) => match[1])
  const body = source
    .replace(/^import (\{[^}]*\}) from '\.\/([^']+)'$/gm, "const $1 = modules['$2']")
    .replace(/^export (?=async function|function|const|class)/gm, '')
    .replace(/^\s*\/\*\*[\s\S]*?\*\/\n/gm, '')
    .replace(/\n{2,}/g, '\n')
  return `modules['${name}'] = (() => {\n${body}return { ${exported.join(', ')} }\n})()`
}
