/**
 * Repairs answers of servers with Anthropic's API to match the API's specification: some translate the answers of
 * others, with mistakes.
 */
import { findJson, isObject } from "../../values/json/guards.ts"
import { type CallIds, makeCallIds } from "./makeCallIds.ts"
import { writeInput } from "./writeInput.ts"

type Json = Readonly<Record<string, unknown>>

/** A message, or an event of a stream: content is a list, calls have ids, and their input is an object. The same object if so. */
export const repairMessage = (json: Json): Json => {
  const { content, content_block: block, type } = json
  if (type === "content_block_start") {
    const repaired = repairBlock(block, makeCallIds())
    return repaired === block ? json : { ...json, content_block: repaired }
  }
  if (typeof content === "string") return { ...json, content: [{ type: "text", text: content }] }
  if (!Array.isArray(content)) return json
  const makeId = makeCallIds()
  let isRepaired = false
  const repaired = content.map((each: unknown) => {
    const other = repairBlock(each, makeId)
    if (other !== each) isRepaired = true
    return other
  })
  return isRepaired ? { ...json, content: repaired } : json
}

const repairBlock = (block: unknown, makeId: CallIds): unknown => {
  if (!isObject(block) || block["type"] !== "tool_use") return block
  const { input } = block
  const id = makeId(block["id"])
  if (id === block["id"] && typeof input !== "string") return block
  return { ...block, id, input: typeof input === "string" ? findJson(writeInput(input)) : input }
}
