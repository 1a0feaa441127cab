/** Parts of a model that a quantisation leaves in bfloat16. */
export interface ExcludedParts {
  readonly attention: boolean
  readonly denseFfn: boolean
  readonly experts: boolean
  readonly sharedExperts: boolean
}

/** Names under which configs list modules left alone. */
const LISTS = [
  'ignore',
  'ignored_layers',
  'modules_to_not_convert',
  'exclude_modules',
  'exclude',
  'modules_in_block_to_quantize_not',
]

/**
 * Reads the exclusion lists by example: a part counts as excluded when some pattern matches a typical module of it in a deep
 * layer. Routers, norms, embeddings and the vision tower are never quantised anyway. Patterns are literal names, prefixes,
 * globs, or regular expressions after `re:`.
 */
export function excludedParts(source: Readonly<Record<string, unknown>>): ExcludedParts {
  const patterns = LISTS.flatMap((name) => strings(source[name])).filter(
    (text) => !/vision|visual|audio|mtp/i.test(text),
  )
  const excludes = (...samples: readonly string[]) =>
    samples.some((sample) => patterns.some((pattern) => matches(pattern, sample)))
  return {
    attention: excludes(
      'model.layers.*.self_attn.q_proj',
      'model.layers.*.self_attn.qkv_proj',
      'model.layers.*.self_attn.kv_b_proj',
      'model.layers.*.self_attn.kv_a_proj_with_mqa',
    ),
    denseFfn: excludes('model.layers.*.mlp.gate_proj', 'model.layers.*.mlp.down_proj'),
    experts: excludes('model.layers.*.mlp.experts.0.down_proj'),
    sharedExperts: excludes(
      'model.layers.*.mlp.shared_experts.down_proj',
      'model.layers.*.mlp.shared_expert.down_proj',
    ),
  }
}

/** All strings in a value, however nested. */
function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(strings)
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(strings)
  return []
}

function matches(pattern: string, sample: string): boolean {
  const depth = '40'
  const concrete = sample.replace('*', depth)
  if (pattern.startsWith('re:')) {
    // Repeated repetitions can take forever to fail; no real list has them.
    if (pattern.length > 300 || /[+*}][^()]*\)[+*{]/.test(pattern)) return false
    try {
      return new RegExp(`^(?:${pattern.slice(3)})`).test(concrete)
    } catch {
      return false
    }
  }
  // A list that names single layers speaks for all of them when it names the module at all.
  const general = pattern.replace(/\.layers\.(\d+|\*)\./, `.layers.${depth}.`).replace(/^language_model\./, '')
  const regex = new RegExp(`^${general.split('*').map(escapeRegExp).join('.*')}(\\..*)?$`)
  return regex.test(concrete)
}

function escapeRegExp(text: string): string {
  return text.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
}
