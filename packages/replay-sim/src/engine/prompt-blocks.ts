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
