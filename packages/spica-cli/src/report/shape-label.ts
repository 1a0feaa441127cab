/** A deployment's shape for people: with replicas, and the layout alone. */
export interface ShapeLabel {
  readonly shape: string
  readonly layout: string
}

/** `4×TP8`, or `2×DEP8 + 6×DTP8` for a prefill and a decode pool; null when the sample names no shape. */
export function shapeLabel(config: Readonly<Record<string, unknown>>): ShapeLabel | null {
  const prefixes = config['deployment_mode'] === 'disagg' ? ['prefill_', 'decode_'] : ['']
  const pools = prefixes.map((prefix) => poolLabel(config, prefix))
  if (pools.some((pool) => pool === null)) return null
  const known = pools as { layout: string; replicas: number }[]
  return {
    shape: known.map(({ layout, replicas }) => `${replicas}×${layout}`).join(' + '),
    layout: known.map(({ layout }) => layout).join(' + '),
  }
}

function poolLabel(
  config: Readonly<Record<string, unknown>>,
  prefix: string,
): { layout: string; replicas: number } | null {
  const tp = Number(config[`${prefix}tp`])
  const attentionDp = Number(config[`${prefix}attention_dp`] ?? 1)
  const replicas = Number(config[`${prefix}replicas`])
  if (!(tp > 0) || !(attentionDp > 0) || !(replicas > 0)) return null
  const strategy = String(config[`${prefix}strategy`] ?? 'tp').toUpperCase()
  return { layout: `${strategy}${tp * attentionDp}`, replicas }
}
