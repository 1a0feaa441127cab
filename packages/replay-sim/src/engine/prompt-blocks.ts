import type { Workload } from '../workload/workload.js'
import { PieceTable } from './piece-table.js'

/**
 * Content identity of the leading blocks of each request's sequence at one block size. Ids are chained: equal iff the
 * whole sequences up to and including the block are equal. Only blocks that some other request may also contain get an
 * id; below the first block unique to its request every block is unique, so it is only ever counted.
 */
export interface PromptBlocks {
  /** Tokens per block. */
  readonly blockSize: number
  /** Leading full blocks of each request that another request shares (prompt, and generated ones under mooncake-delta). */
  readonly sharedBlocks: Int32Array
  /** count + 1 offsets into `ids`; request i owns ids[offsets[i]] … ids[offsets[i] + sharedBlocks[i] − 1]. */
  readonly offsets: Uint32Array
  /** Dense ids from 0 of shared blocks. */
  readonly ids: Int32Array
  /** Number of distinct ids. */
  readonly distinct: number
}

/** Interns the shareable blocks of `workload`. Cost grows with runs when the run length is a multiple of the block size, else with blocks. */
export function internPromptBlocks(workload: Workload, blockSize: number): PromptBlocks {
  const { runOffsets, count } = workload
  if (runOffsets[count] === 0) {
    return {
      blockSize,
      sharedBlocks: new Int32Array(count),
      offsets: new Uint32Array(count + 1),
      ids: new Int32Array(0),
      distinct: 0,
    }
  }
  const uniform = workload.uniformRunLength
  if (uniform > 0 && uniform % blockSize === 0) return internByRun(workload, blockSize, uniform / blockSize)
  return internByBlock(workload, blockSize)
}

/** Every run is a whole number of blocks (but a prompt's last), so one table entry stands for the blocks of a run. */
function internByRun(workload: Workload, blockSize: number, blocksPerRun: number): PromptBlocks {
  const { count, runOffsets, runValue, runLength } = workload
  const runs = runOffsets[count]!
  const table = new PieceTable(Math.min(runs, 1 << 16))
  const nodeOfRun = new Int32Array(runs)
  for (let request = 0; request < count; request++) {
    let node = -1
    for (let run = runOffsets[request]!; run < runOffsets[request + 1]!; run++) {
      node = runLength[run]! < blockSize ? -1 : table.visit(node, runValue[run]!, 0)
      nodeOfRun[run] = node
      if (node < 0) break
    }
  }
  const rank = table.rankShared()
  const sharedBlocks = new Int32Array(count)
  const offsets = new Uint32Array(count + 1)
  let total = 0
  for (let request = 0; request < count; request++) {
    let blocks = 0
    for (let run = runOffsets[request]!; run < runOffsets[request + 1]!; run++) {
      const node = nodeOfRun[run]!
      if (node < 0 || rank[node]! < 0) break
      blocks += Math.floor(runLength[run]! / blockSize)
    }
    sharedBlocks[request] = blocks
    total += blocks
    offsets[request + 1] = total
  }
  const ids = new Int32Array(total)
  for (let request = 0; request < count; request++) {
    let at = offsets[request]!
    for (let run = runOffsets[request]!; at < offsets[request + 1]!; run++) {
      const base = rank[nodeOfRun[run]!]! * blocksPerRun
      const blocks = Math.floor(runLength[run]! / blockSize)
      for (let k = 0; k < blocks; k++) ids[at++] = base + k
    }
  }
  return { blockSize, sharedBlocks, offsets, ids, distinct: table.sharedCount * blocksPerRun }
}

/** Requests whose generated tokens occur in later prompts. */
function referencedOutputs(workload: Workload): Uint8Array {
  const referenced = new Uint8Array(workload.count)
  for (const value of workload.runValue) if (value < 0) referenced[-1 - value] = 1
  return referenced
}

function internByBlock(workload: Workload, blockSize: number): PromptBlocks {
  const { count, runOffsets, runValue, runLength, inputTokens, outputTokens } = workload
  const referenced = referencedOutputs(workload)
  const table = new PieceTable(1 << 12)
  const nodes: number[] = []
  const starts = new Float64Array(count + 1)
  for (let request = 0; request < count; request++) {
    const first = runOffsets[request]!
    const end = runOffsets[request + 1]!
    let covered = 0
    for (let run = first; run < end; run++) covered += runLength[run]!
    const generated = referenced[request] === 1 && covered === inputTokens[request] ? outputTokens[request]! : 0
    let run = first
    let used = 0
    let parent = -1
    const full = Math.floor((Math.min(covered, inputTokens[request]!) + generated) / blockSize)
    for (let block = 0; block < full; block++) {
      let state = parent
      let room = blockSize
      let heldValue = 0
      let heldLength = 0
      while (room > 0) {
        const isOutput = run >= end
        const value = isOutput ? -1 - request : runValue[run]!
        const length = isOutput ? generated : runLength[run]!
        const take = Math.min(room, length - used)
        if (take > 0) {
          if (value < 0) {
            if (heldLength > 0) state = table.step(state, heldValue, heldLength)
            heldLength = 0
            state = table.step(state, value, used * (blockSize + 1) + take)
          } else if (heldLength > 0 && heldValue === value) {
            heldLength += take
          } else {
            if (heldLength > 0) state = table.step(state, heldValue, heldLength)
            heldValue = value
            heldLength = take
          }
        }
        room -= take
        used += take
        if (used >= length) {
          run++
          used = 0
        }
      }
      if (heldLength > 0) state = table.step(state, heldValue, heldLength)
      table.count(state)
      nodes.push(state)
      parent = state
    }
    starts[request + 1] = nodes.length
  }
  return collect(table, nodes, starts, count, blockSize)
}

function collect(
  table: PieceTable,
  nodes: number[],
  starts: Float64Array,
  count: number,
  blockSize: number,
): PromptBlocks {
  const rank = table.rankShared()
  const sharedBlocks = new Int32Array(count)
  const offsets = new Uint32Array(count + 1)
  let total = 0
  for (let request = 0; request < count; request++) {
    let blocks = 0
    for (let at = starts[request]!; at < starts[request + 1]! && rank[nodes[at]!]! >= 0; at++) blocks++
    sharedBlocks[request] = blocks
    total += blocks
    offsets[request + 1] = total
  }
  const ids = new Int32Array(total)
  for (let request = 0; request < count; request++) {
    const from = offsets[request]!
    for (let k = 0; k < sharedBlocks[request]!; k++) ids[from + k] = rank[nodes[starts[request]! + k]!]!
  }
  return { blockSize, sharedBlocks, offsets, ids, distinct: table.sharedCount }
}
