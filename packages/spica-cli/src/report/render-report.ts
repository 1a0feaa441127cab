import { createHash } from 'node:crypto'
import { formatNumber } from '../../assets/report/axis.js'
import { clientScript, styleSheet } from './client-assets.js'
import { embedReport } from './embed-report.js'
import { escapeHtml as e, scriptJson } from './escape-html.js'
import {
  failureSection,
  importanceSection,
  keyFigures,
  progressSection,
  provenanceNote,
  staticTable,
} from './html-sections.js'
import { methodSection } from './method-notes.js'
import type { Overlay, ReportData } from './report-data.js'
import { staticResultPlot } from './static-charts.js'

/** Overlaid points that are listed. */
const OVERLAY_ROWS = 100

/**
 * The whole report as one HTML page that needs nothing else: styles, script and data are inside, and its policy lets it
 * load and run nothing but them. Pure; equal data give equal bytes.
 */
export function renderReport(data: ReportData): string {
  const style = styleSheet()
  const script = clientScript()
  const policy = `default-src 'none'; style-src '${sourceHash(style)}'; script-src '${sourceHash(script)}'; base-uri 'none'; form-action 'none'`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="spica ${e(data.version)}">
<title>${e(data.title)}</title>
<style>${style}</style>
</head>
<body>
<a class="skip" href="#results">Skip to the results</a>
<header class="top"><div class="brand">Spica <span>deployment report</span></div></header>
<main>
<div id="overview">
<h1>${e(data.model)} <span>on ${e(data.hardware)}</span></h1>
<p class="sub">${data.facts
    .filter(([label]) => label === 'Goal' || label === 'Traffic')
    .map(([, value]) => `<span>${e(value)}</span>`)
    .join('')}</p>
${keyFigures(data)}
${provenanceNote(data)}
${data.feasible.length === 0 ? nothingFeasible() : resultSection(data)}
${tableSection(data)}
${progressSection(data)}
${importanceSection(data)}
${failureSection(data)}
${methodSection(data)}
</div>
<article id="candidate" hidden></article>
</main>
<footer>Written by spica ${e(data.version)}. This file is complete: it loads nothing from elsewhere.</footer>
<script type="application/json" id="data">${scriptJson(embedReport(data))}</script>
<script>${script}</script>
</body>
</html>
`
}

/** Source expression of an inline block, for the page's policy. */
function sourceHash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}

function nothingFeasible(): string {
  return '<section class="card" id="results"><h2>Nothing feasible was found</h2><p>No trial ran to the end. The causes are listed below; <code>spica explain</code> tells what would make a shape fit.</p></section>'
}

function resultSection(data: ReportData): string {
  const overlay = data.overlay === null ? '' : overlayList(data.overlay, data.objectives)
  const title =
    data.kind === 'front' ? 'Pareto front' : `${data.objectives[0]?.label ?? 'Objective'} by trial, and the best so far`
  return `<section class="card" id="results"><div class="card-head"><h2>${e(title)}</h2><div class="tools"><fieldset><legend>Drag to</legend><label class="check"><input type="radio" name="tool" value="select" checked> select</label><label class="check"><input type="radio" name="tool" value="pan"> move</label></fieldset><fieldset><legend>Zoom</legend><button type="button" id="zoom-in" aria-label="Zoom in">+</button><button type="button" id="zoom-out" aria-label="Zoom out">−</button><button type="button" id="zoom-reset">Reset</button><button type="button" id="zoom-selection" hidden>To selection</button></fieldset></div></div>
<div class="controls scripted-only">
<div id="filters" class="filters"></div>
<div class="filters">
<fieldset><legend>Axes</legend><label>across <select id="axis-x"></select></label><label class="check"><input type="checkbox" id="log-x"> log</label><label>up <select id="axis-y"></select></label><label class="check"><input type="checkbox" id="log-y"> log</label></fieldset>
</div>
</div>
<div class="plot-box"><div id="plot">${staticResultPlot(data)}</div><div id="tooltip" aria-hidden="true" hidden></div></div>
<p class="muted" id="plot-note" role="status"></p>
${overlay}
<p class="muted scripted-only hint">Click a point for its page. Drag to select, Shift-drag to move, Ctrl-wheel to zoom, double-click to reset. With the keyboard: Tab into the plot, arrows, Enter, Space to select, + − 0.</p>
</section>`
}

/** What is laid over, for those who cannot point at it. */
function overlayList(overlay: Overlay, objectives: ReportData['objectives']): string {
  const rows = overlay.points
    .slice(0, OVERLAY_ROWS)
    .map(
      ({ label, values }) =>
        `<tr><th scope="row">${e(label)}</th>${objectives.map(({ name }) => `<td class="number">${e(formatNumber(values[name]))}</td>`).join('')}</tr>`,
    )
  const heads = objectives.map(
    ({ label, unit }) => `<th scope="col" class="number">${e(label)} <span class="unit">${e(unit)}</span></th>`,
  )
  return `<details class="overlay-list"><summary><span class="overlay-mark" aria-hidden="true"></span> ${e(overlay.label)}: ${overlay.points.length} points laid over</summary><div class="scroll"><table><thead><tr><th scope="col">Point</th>${heads.join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div></details>`
}

function tableSection(data: ReportData): string {
  const scopes: [string, string][] = [
    ['candidates', data.kind === 'front' ? 'front' : 'ranking'],
    ['feasible', 'all feasible'],
    ['all', 'all tried'],
  ]
  const radios = scopes
    .map(([value, label]) => `<label class="check"><input type="radio" name="scope" value="${value}"> ${label}</label>`)
    .join('')
  return `<section class="card"><h2>Deployments</h2>
<div class="table-head scripted-only"><fieldset><legend>Show</legend>${radios}</fieldset><span id="table-count" class="muted" role="status"></span><button type="button" id="clear-selection" hidden>Clear selection</button></div>
<div id="table" class="scroll">${staticTable(data)}</div>
<p class="scripted-only"><button type="button" id="table-more" hidden>Show more</button></p></section>`
}
