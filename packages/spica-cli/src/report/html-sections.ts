import { formatNumber } from '../../assets/report/axis.js'
import { escapeHtml as e } from './escape-html.js'
import type { ReportData } from './report-data.js'
import { staticProgressChart } from './static-charts.js'

/** Settings listed under "what matters". */
const KNOBS_SHOWN = 10
/** Causes of failure listed. */
const CAUSES_SHOWN = 15
/** Candidates in the table that stands when scripts do not run. */
const STATIC_ROWS = 30

const STATUS_ORDER = ['feasible', 'infeasible', 'failed', 'timed-out', 'unsupported']

/** The headline figures. */
export function keyFigures(data: ReportData): string {
  const [first] = data.objectives
  const top = data.candidates[0]
  const feasible = data.feasible.length
  const finished = data.trials.filter((trial) => trial.status !== 'cache-hit').length
  const cards: [string, string, string][] = []
  if (top !== undefined && first !== undefined) {
    const values = data.feasible.find((trial) => trial.trial === top.trial)?.objectives ?? {}
    if (data.kind === 'ranking')
      cards.push([`Best ${lowerFirst(first.label)}`, formatNumber(values[first.name]), first.unit])
    else {
      cards.push(['Deployments on the front', String(data.candidates.length), ''])
      for (const objective of data.objectives)
        cards.push([`Best ${lowerFirst(objective.label)}`, formatNumber(bestOf(data, objective)), objective.unit])
    }
  }
  cards.push(['Feasible', String(feasible), `of ${finished} tried`])
  const winner = data.kind === 'ranking' && top !== undefined ? winnerCard(data, top.trial) : ''
  return `<dl class="figures">${winner}${cards
    .map(
      ([label, value, unit]) =>
        `<div><dt>${e(label)}</dt><dd>${e(value)}<span class="unit"> ${e(unit)}</span></dd></div>`,
    )
    .join('')}</dl>`
}

function winnerCard({ trials }: ReportData, id: number): string {
  const row = trials.find((trial) => trial.id === id)
  return `<div class="wide"><dt>Best deployment</dt><dd><a href="#trial-${id}">${e(row?.shape ?? `trial ${id}`)}</a><span class="unit"> ${e(row?.backend ?? '')}, ${e(row?.mode ?? '')}, ${e(String(row?.gpus ?? '?'))} GPUs</span></dd></div>`
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}

function bestOf(data: ReportData, { name, direction }: ReportData['objectives'][number]): number {
  const values = data.feasible.map(({ objectives }) => objectives[name] ?? Number.NaN)
  return values.reduce((best, value) => (direction === 'maximize' ? Math.max(best, value) : Math.min(best, value)))
}

/** Says that figures are predictions, and of what model. */
export function provenanceNote({ provenance }: ReportData): string {
  const model =
    provenance.perfModel === null
      ? 'a pass-time model that the study does not name'
      : `the <b>${e(provenance.perfModel)}</b> pass-time model`
  const sources =
    provenance.sources === null
      ? ''
      : ` Pass times of the listed deployments come from: ${provenance.sources
          .map(({ source, share }) => `<b>${Math.round(share * 100)} %</b> ${e(source)}`)
          .join(', ')}.`
  return `<p class="notice"><b>Predictions, not measurements.</b> Every figure comes from replaying the traffic on simulated engines timed by ${model}.${sources} Spica is experimental: measure the deployments you mean to use.</p>`
}

/** Table of the first candidates for readers without scripts. */
export function staticTable(data: ReportData): string {
  const byId = new Map(data.feasible.map((trial) => [trial.trial, trial]))
  const shapes = new Map(data.trials.map((trial) => [trial.id, trial]))
  const rows = data.candidates.slice(0, STATIC_ROWS).map(({ trial }, index) => {
    const row = shapes.get(trial)
    const values = byId.get(trial)?.objectives ?? {}
    const cells = [row?.mode, row?.backend, row?.shape].map((text) => `<td>${e(text ?? '–')}</td>`)
    const figures = [row?.gpus, ...data.objectives.map(({ name }) => values[name])].map(
      (value) => `<td class="number">${e(formatNumber(value ?? null))}</td>`,
    )
    return `<tr><th scope="row">Candidate ${index + 1}</th>${cells.join('')}${figures.join('')}</tr>`
  })
  const heads = data.objectives.map(
    ({ label, unit }) => `<th scope="col" class="number">${e(label)} <span class="unit">${e(unit)}</span></th>`,
  )
  return `<table><thead><tr><th scope="col">Name</th><th scope="col">Mode</th><th scope="col">Backend</th><th scope="col">Shape</th><th scope="col" class="number">GPUs</th>${heads.join('')}</tr></thead><tbody>${rows.join('')}</tbody></table>`
}

/** Best value or hypervolume by trials. */
export function progressSection({ progress, kind }: ReportData): string {
  if (progress === null || kind === 'ranking') return ''
  return `<section class="card"><h2>${e(progress.label)}</h2><p class="muted">How much of the objectives' space the front covers, after each part of the search. A flat end means that more trials found little.</p><div class="static-chart">${staticProgressChart(progress)}</div></section>`
}

/** Importance of settings, as bars with the best level of each. */
export function importanceSection(data: ReportData): string {
  const { importance, objectives, feasible } = data
  if (importance.length === 0)
    return `<section class="card"><h2>What matters</h2><p class="muted">${feasible.length < 8 ? 'Too few feasible trials to tell which settings matter.' : 'All feasible trials have the same settings.'}</p></section>`
  const bar = (share: number) =>
    `<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="100" height="10" rx="2"/><rect class="fill" width="${(share * 100).toFixed(1)}" height="10" rx="2"/></svg>`
  const rows = importance.slice(0, KNOBS_SHOWN).map(({ knob, others, trials, effects }) => {
    const cells = objectives.map(({ name, unit }) => {
      const effect = effects[name]
      if (effect === undefined) return '<td></td><td></td>'
      const best = effect.levels[0]
      const mean =
        best === undefined
          ? ''
          : `<b>${e(best.label)}</b><br><span class="muted">mean ${e(formatNumber(best.mean))} ${e(unit)}</span>`
      return `<td class="share">${bar(effect.share)}<span>${Math.round(effect.share * 100)} %</span></td><td>${mean}</td>`
    })
    const alike =
      others.length === 0
        ? ''
        : ` <span class="muted" title="${e(others.join(', '))}">and ${others.length} that change with it</span>`
    const among = trials === feasible.length ? '' : `<br><span class="muted">among ${trials} trials</span>`
    return `<tr><th scope="row"><code>${e(knob)}</code>${alike}${among}</th>${cells.join('')}</tr>`
  })
  const heads = objectives.map(({ label }) => `<th scope="col">${e(label)}</th><th scope="col">Best level</th>`)
  return `<section class="card"><h2>What matters</h2><p class="muted">Share of each objective's variance over feasible trials that a setting explains alone, corrected for chance. <a href="#method-importance">What this is and is not</a></p><div class="scroll"><table class="importance"><thead><tr><th scope="col">Setting</th>${heads.join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div></section>`
}

/** Outcomes by mode and backend, and the causes of failure. */
export function failureSection({ failures }: ReportData): string {
  const outcome = failures.outcomes.map(({ mode, backend, counts, total }) => {
    let from = 0
    const parts = STATUS_ORDER.filter((status) => (counts[status] ?? 0) > 0).map((status) => {
      const width = ((counts[status] ?? 0) / total) * 100
      const part = `<rect class="status-${e(status)}" x="${from.toFixed(2)}" width="${width.toFixed(2)}" height="10"/>`
      from += width
      return part
    })
    const text = STATUS_ORDER.filter((status) => (counts[status] ?? 0) > 0).map(
      (status) => `${counts[status]} ${status.replace('-', ' ')}`,
    )
    return `<tr><th scope="row">${e(backend)}</th><td>${e(mode)}</td><td class="wide"><svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">${parts.join('')}</svg></td><td>${e(text.join(', '))}</td></tr>`
  })
  const causes = failures.causes
    .slice(0, CAUSES_SHOWN)
    .map(
      ({ code, count, message, places, status, firstTrial }) =>
        `<tr><td class="number">${count}</td><td>${e(status.replace('-', ' '))}<br><code>${e(code)}</code></td><td>${e(message)}</td><td class="muted">${places.map((one) => `${e(one.place)} (${one.count})`).join('<br>')}<br>first: trial ${firstTrial}</td></tr>`,
    )
  const more = failures.causes.length - causes.length
  const table =
    causes.length === 0
      ? `<p class="muted">${outcome.length === 0 ? 'No trial has finished.' : 'No trial failed.'}</p>`
      : `<div class="scroll"><table class="causes"><thead><tr><th scope="col" class="number">Trials</th><th scope="col">Outcome</th><th scope="col">Why (message of the first)</th><th scope="col">Mostly where</th></tr></thead><tbody>${causes.join('')}</tbody></table></div>${more > 0 ? `<p class="muted">and ${more} rarer causes; trials.jsonl has them all.</p>` : ''}`
  return `<section class="card"><h2>Where trials failed, and why</h2><div class="scroll"><table class="outcomes"><thead class="sr-only"><tr><th scope="col">Backend</th><th scope="col">Mode</th><th scope="col">Share</th><th scope="col">Outcomes</th></tr></thead><tbody>${outcome.join('')}</tbody></table></div>${table}</section>`
}
