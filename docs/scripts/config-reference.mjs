// The configuration page, from the JSON Schema of @spica/schema.
import { configJsonSchema } from '../../packages/schema/dist/index.js'

const INTRO = `---
aside: false
---

# Configuration

One YAML file describes a sweep. Unknown keys, wrong types and values outside their range are refused, all at once, with
line, column and a hint; \`spica validate FILE\` does nothing but that. The same rules come as JSON Schema from
\`spica schema\`, for completion in editors:

\`\`\`yaml
# yaml-language-server: $schema=./spica.schema.json
\`\`\`

Lists are searched, single values are pinned: a list of one entry is a constant. Every entry of a list must be on its menu.
\`search_space\` and \`workload\` are required, everything else has defaults. Relative paths start from the folder of the
config. Rules that span several fields are on the pages on [goals](../concepts/goals), [traffic](../concepts/traffic) and the
[search space](../concepts/search-space).

This page is generated from the schema.
`

const SECTIONS = ['search_space', 'workload', 'goal', 'sweep', 'perf']

/** Markdown of the whole page. */
export function configReference() {
  const schema = configJsonSchema()
  const parts = [INTRO]
  for (const name of SECTIONS) {
    const section = schema.properties[name]
    parts.push(`## ${name}\n\n${section.description ?? ''}\n`, table(section))
    for (const [field, spec] of Object.entries(section.properties)) {
      for (const nested of nestedObjects(spec)) {
        parts.push(`### ${name}.${field}${nested.title}\n`, table(nested.schema))
      }
    }
  }
  return `${parts.join('\n')}`.replace(/\n{3,}/g, '\n\n')
}

function table(section) {
  const required = new Set(section.required ?? [])
  const rows = Object.entries(section.properties).map(([field, spec]) => {
    const fallback = required.has(field) ? '**required**' : 'default' in spec ? defaultText(spec) : ''
    return `| \`${field}\` | ${cell(spec.description ?? '')} | ${typeText(spec)} | ${fallback} |`
  })
  return `| field | meaning | value | default |\n|---|---|---|---|\n${rows.join('\n')}\n`
}

/** Mappings inside a field: of a nullable object, or of the entries of a list. */
function nestedObjects(spec) {
  const inside = spec.type === 'array' ? spec.items : spec
  const options = inside.anyOf ?? [inside]
  const objects = options.filter((option) => option.type === 'object')
  return objects.map((schema, index) => {
    const many = objects.length > 1 ? (index === 0 ? ' (agg)' : ' (disagg)') : ''
    return { schema, title: `${spec.type === 'array' ? '[ ]' : ''}${many}` }
  })
}

/** A list that holds its whole menu says so instead of repeating it. */
function defaultText(spec) {
  const menu = (spec.items?.anyOf ?? [spec.items]).find((item) => item?.enum !== undefined)?.enum
  const isAll = Array.isArray(spec.default) && menu?.length === spec.default.length && menu.length > 1
  return isAll ? 'all' : code(spec.default)
}

function typeText(spec) {
  if (spec.anyOf !== undefined) return spec.anyOf.map(typeText).join(' or ')
  if (spec.enum !== undefined) return spec.enum.map(code).join(', ')
  if (spec.const !== undefined) return code(spec.const)
  if (spec.type === 'array') {
    if (Array.isArray(spec.items)) return `[${spec.items.map(typeText).join(', ')}]`
    return `list of ${typeText(spec.items)}`
  }
  if (spec.type === 'object') return 'mapping'
  if (spec.type === 'null') return '`null`'
  if (spec.type === 'boolean') return '`true`, `false`'
  if (spec.type === 'string') return 'text'
  return `${spec.type === 'integer' ? 'whole number' : 'number'}${range(spec)}`
}

const LARGE = 1e9

function range({ minimum, maximum, exclusiveMinimum }) {
  const from = exclusiveMinimum !== undefined ? `above ${exclusiveMinimum}` : minimum > -LARGE ? `from ${minimum}` : ''
  const to = maximum < LARGE ? `up to ${maximum}` : ''
  return [from, to]
    .filter(Boolean)
    .map((text) => ` ${text}`)
    .join('')
}

const code = (value) => `\`${cell(typeof value === 'string' ? value : JSON.stringify(value).replaceAll(',', ', '))}\``
const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
