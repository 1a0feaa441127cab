import { type Document, isAlias, isMap, isScalar, isSeq, type Node, type YAMLMap } from 'yaml'
import { MAX_NESTING, MAX_NODES, type OffsetFinding } from './document-limits.js'
import { type ConfigPath, printable } from './finding.js'

/** Plain data of a YAML document, with the offsets of keys and values. */
export interface YamlTree {
  readonly value: unknown
  readonly problems: readonly OffsetFinding[]
  /** Offset of the key or value at `path`, or of the nearest ancestor that exists. */
  offsetOf(path: ConfigPath, at: 'key' | 'value'): number
}

/** Turns a parsed document into plain data, refusing what YAML allows but a config must not hold. */
export function readYamlTree(document: Document.Parsed): YamlTree {
  const reader = new TreeReader()
  const value = document.contents === null ? null : reader.read(document.contents, [], 0)
  return { value, problems: reader.problems, offsetOf: (path, at) => reader.offsetOf(path, at) }
}

const CORE_TAG = /^(!|tag:yaml\.org,2002:(str|int|float|bool|null|map|seq))$/

class TreeReader {
  readonly problems: OffsetFinding[] = []
  readonly #offsets = new Map<string, { key?: number; value?: number }>()
  readonly #anchors = new Map<string, Node>()
  readonly #open = new Set<Node>()
  #nodes = 0
  /** Aliases being read; anchors inside them keep their first meaning. */
  #expanding = 0

  read(node: Node, path: ConfigPath, offset: number): unknown {
    const [start, end] = node.range ?? [offset, offset]
    const at = start === end ? offset : start
    this.#note(path, 'value', at)
    if (++this.#nodes > MAX_NODES) {
      if (this.#nodes === MAX_NODES + 1) {
        this.#refuse(at, [], 'too-large', `the document has more than ${MAX_NODES} values once aliases are expanded`)
      }
      return undefined
    }
    if (path.length > MAX_NESTING) {
      this.#refuse(at, [], 'too-deep', `the document is nested more than ${MAX_NESTING} levels deep`)
      return undefined
    }
    if (isAlias(node)) return this.#alias(node.source, path, at)
    const { anchor, tag } = node as { anchor?: string; tag?: string }
    if (anchor !== undefined && this.#expanding === 0) this.#anchors.set(anchor, node)
    if (tag !== undefined && !CORE_TAG.test(tag))
      this.#refuse(at, path, 'unknown-tag', `has an unknown tag ${printable(tag)}`)
    if (isScalar(node)) return node.value
    this.#open.add(node)
    const value = isMap(node)
      ? this.#map(node, path, at)
      : isSeq(node)
        ? this.#list(node.items as Node[], path, at)
        : null
    this.#open.delete(node)
    return value
  }

  offsetOf(path: ConfigPath, at: 'key' | 'value'): number {
    for (let length = path.length; length >= 0; length--) {
      const known = this.#offsets.get(JSON.stringify(path.slice(0, length)))
      if (known === undefined) continue
      const exact = length === path.length
      const offset = exact && at === 'value' ? (known.value ?? known.key) : (known.key ?? known.value)
      if (offset !== undefined) return offset
    }
    return 0
  }

  #alias(name: string, path: ConfigPath, at: number): unknown {
    const target = this.#anchors.get(name)
    if (target === undefined) return this.#refuse(at, path, 'unknown-alias', `refers to no anchor: *${printable(name)}`)
    if (this.#open.has(target)) return this.#refuse(at, path, 'alias-loop', `refers to itself: *${printable(name)}`)
    this.#expanding++
    const value = this.read(target, path, at)
    this.#expanding--
    this.#note(path, 'value', at)
    return value
  }

  #list(items: readonly (Node | null)[], path: ConfigPath, at: number): unknown[] {
    return items.map((item, index) => {
      if (item !== null) return this.read(item, [...path, index], at)
      this.#note([...path, index], 'value', at)
      return null
    })
  }

  #map(map: YAMLMap, path: ConfigPath, at: number): Record<string, unknown> {
    const value: Record<string, unknown> = {}
    for (const pair of map.items) {
      const keyNode = pair.key as Node | null
      const keyAt = keyNode?.range?.[0] ?? at
      if (!isScalar(keyNode) || keyNode.value === null || keyNode.value === '') {
        this.#refuse(keyAt, path, 'bad-key', 'has a key that is not a plain word')
        continue
      }
      const key = String(keyNode.value)
      const inner = [...path, key]
      if (Object.hasOwn(value, key)) {
        this.#refuse(keyAt, inner, 'duplicate-key', 'is given twice in the same mapping')
        continue
      }
      if (key === '<<') {
        this.#refuse(keyAt, inner, 'merge-key', 'merge keys are not supported', 'repeat the fields instead')
        continue
      }
      this.#note(inner, 'key', keyAt)
      const item = pair.value === null ? null : this.read(pair.value as Node, inner, keyAt)
      Object.defineProperty(value, key, { value: item, enumerable: true, writable: true, configurable: true })
    }
    return value
  }

  #note(path: ConfigPath, at: 'key' | 'value', offset: number): void {
    const id = JSON.stringify(path)
    this.#offsets.set(id, { ...this.#offsets.get(id), [at]: offset })
  }

  #refuse(offset: number, path: ConfigPath, code: string, message: string, hint?: string): undefined {
    this.problems.push({ offset, path, code, message, hint })
    return undefined
  }
}
