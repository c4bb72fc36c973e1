/** Keeps marks for caches within what Anthropic's API takes. */
import { isObject } from "../../values/json/guards.ts"
import type { RequestChanges } from "../RequestChanges.ts"

type Json = Readonly<Record<string, unknown>>
type Blocks = ReadonlyArray<Json>

/** "A maximum of 4 blocks with cache_control may be provided": https://github.com/decolua/9router/issues/3795. */
const maxMarks = 4

/** The blocks that may be marked, in the order of the prefix that a mark ends. */
export interface MarkedBlocks {
  readonly tools: Blocks
  readonly system: Blocks
  readonly messages: Blocks
}

/**
 * Keeps the last marks, because their prefixes include those of the others. `isMarked`: the whole request has a mark,
 * too.
 */
export const limitCacheMarks = (
  blocks: MarkedBlocks,
  isMarked: boolean,
  changes: RequestChanges
): MarkedBlocks => {
  const { messages, system, tools } = blocks
  let spare = countMarks(tools) + countMarks(system) + countMarks(messages)
  spare -= isMarked ? maxMarks - 1 : maxMarks
  if (spare <= 0) return blocks
  changes.add(["cache_control"])
  const omitFrom = (list: Blocks): Blocks =>
    list.map((block): Json => {
      const { content } = block
      const inner = Array.isArray(content) ? omitFrom(content.filter(isObject)) : undefined
      const passed = inner === undefined ? block : { ...block, content: inner }
      if (spare <= 0 || block["cache_control"] === undefined) return passed
      spare--
      const { cache_control: _, ...rest } = passed
      return rest
    })
  return { tools: omitFrom(tools), system: omitFrom(system), messages: omitFrom(messages) }
}

const countMarks = (blocks: Blocks): number => {
  let marks = 0
  for (const { cache_control: mark, content } of blocks) {
    if (mark !== undefined) marks++
    if (Array.isArray(content)) marks += countMarks(content)
  }
  return marks
}
