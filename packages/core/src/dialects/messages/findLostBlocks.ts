/** Finds blocks of a request to Anthropic's API that other APIs cannot express. */
import { isObject, toList } from "../../values/json/guards.ts"
import type { Path } from "../UntranslatableRequest.ts"

/** The blocks that are lost, and the ones that are replaced, in other APIs. */
export interface LostBlocks {
  /** The first that the model would miss, so that only Anthropic's API can serve the request. */
  readonly needed: Path | undefined
  /** Places such as `messages.3.content.1`, whose blocks are left out. */
  readonly omitted: ReadonlyArray<string>
}

/** Few requests have any; of many the first are named. */
const maxOmitted = 64

export const findLostBlocks = (messages: unknown): LostBlocks => {
  if (!Array.isArray(messages)) return none
  let omitted: Array<string> | undefined
  let needed: Path | undefined
  for (let index = 0; index < messages.length; index++) {
    const message: unknown = messages[index]
    if (!isObject(message)) continue
    const { content, role } = message
    if (!Array.isArray(content)) continue
    for (let at = 0; at < content.length; at++) {
      const block: unknown = content[at]
      if (!isObject(block)) continue
      if (isStored(block)) needed ??= ["messages", index, "content", at]
      if (isSaid(block) && !(role === "user" && ofModels.has(block["type"]))) continue
      if (block["type"] === "container_upload") needed ??= ["messages", index, "content", at]
      else if ((omitted ??= []).length < maxOmitted) {
        omitted.push(`messages.${index}.content.${at}`)
      }
    }
  }
  return omitted === undefined && needed === undefined ? none : { needed, omitted: omitted ?? [] }
}

const none: LostBlocks = { needed: undefined, omitted: [] }

/** A file that Anthropic keeps, also in the result of a tool, and in a document of blocks. */
const isStored = ({ content, source }: Readonly<Record<string, unknown>>): boolean => {
  if (isObject(source) && source["type"] === "file") return true
  return (
    toList(content).some(isStoredBlock) ||
    (isObject(source) && toList(source["content"]).some(isStoredBlock))
  )
}

const isStoredBlock = (block: unknown): boolean => isObject(block) && isStored(block)

/** A result and a document may hold a block that is not said. */
const isSaid = ({ content, source, type }: Readonly<Record<string, unknown>>): boolean => {
  if (!saidTypes.has(type)) return false
  const inside = [
    ...(type === "tool_result" ? toList(content) : []),
    ...(isObject(source) ? toList(source["content"]) : [])
  ]
  return inside.every((each) => !isObject(each) || saidTypes.has(each["type"]))
}

/** Users neither think nor call tools. */
const ofModels: ReadonlySet<unknown> = new Set(["redacted_thinking", "thinking", "tool_use"])

/** Thinking is left out by rules of its own, and changes of tools are refused. */
const saidTypes: ReadonlySet<unknown> = new Set([
  "document",
  "image",
  "redacted_thinking",
  "search_result",
  "text",
  "thinking",
  "tool_addition",
  "tool_reference",
  "tool_removal",
  "tool_result",
  "tool_use"
])
