/** Writes the parts of turns as the content blocks of Anthropic's API. */
import * as Result from "effect/Result"
import type { CallPart, OpaquePart, Part, ResultPart, TextPart } from "../../conversation/Part.ts"
import { isObject } from "../../values/json/guards.ts"
import { writePastArguments } from "../CalledTool.ts"
import { type UntranslatableRequest, failTranslation } from "../UntranslatableRequest.ts"
import { dropForeignReasoning } from "../reasoningFamily.ts"
import { messagesIds, toDialectId } from "../toDialectId.ts"
import type { RequestChanges } from "../RequestChanges.ts"
import type { ToolNames } from "../ToolNames.ts"
import { getExtraFields, withinDocument, writeCacheMark } from "./messagesFields.ts"
import { writeThinking } from "./thinkingBlocks.ts"
import { writeFile, writeImage } from "./writeMedia.ts"

type Json = Readonly<Record<string, unknown>>
type Written<A> = Result.Result<A, UntranslatableRequest>

export interface BlockOptions {
  readonly changes: RequestChanges
  readonly names: ToolNames
  /** Whether images and documents may be URLs. */
  readonly takesUrls: boolean
}

export const writeUserBlocks = (
  parts: ReadonlyArray<Part>,
  options: BlockOptions
): Written<ReadonlyArray<Json>> => {
  const blocks: Array<Json> = []
  for (const part of parts) {
    const written = writeUserBlock(part, options)
    if (Result.isFailure(written)) return Result.fail(written.failure)
    blocks.push(...written.success)
  }
  return Result.succeed(blocks)
}

const writeUserBlock = (part: Part, options: BlockOptions): Written<ReadonlyArray<Json>> => {
  switch (part.type) {
    case "text":
      return Result.succeed(writeText(part))
    case "refusal":
      return Result.succeed(writeText({ type: "text", text: part.refusal }))
    case "image":
      if (getExtraFields(part.extra) === withinDocument) return Result.succeed([])
      return Result.map(writeImage(part, options.takesUrls), (block) => [block])
    case "file":
      return Result.map(writeFile(part, options.takesUrls), (block) => [
        // An image has no title.
        ...(block["type"] === "image"
          ? writeText({ type: "text", text: part.filename ?? "" })
          : []),
        block
      ])
    case "result":
      return writeResult(part, options)
    case "opaque":
      return Result.succeed(writeOpaque(part))
    case "audio":
    case "video":
      return failTranslation(["messages"], `this provider's API takes no ${part.type}`)
    case "call":
    case "reasoning":
      return Result.succeed([])
  }
}

/** An empty text is rejected by the API. */
const writeText = ({ cache, extra, text }: TextPart): ReadonlyArray<Json> => {
  const fields = getExtraFields(extra)
  if (fields === withinDocument) return []
  // A block that is text in other dialects only.
  if (Object.hasOwn(fields, "type")) return [fields]
  return text === "" ? [] : [{ type: "text", text, ...fields, ...writeCacheMark(cache) }]
}

const writeOpaque = ({ dialect, raw }: OpaquePart): ReadonlyArray<Json> =>
  dialect === "messages" && isObject(raw) ? [raw] : []

const writeResult = (
  { cache, callId, content, extra, isError }: ResultPart,
  options: BlockOptions
): Written<ReadonlyArray<Json>> =>
  Result.map(writeUserBlocks(content, options), (blocks) => [
    {
      type: "tool_result",
      tool_use_id: toDialectId(callId, messagesIds),
      ...(blocks.length === 0 ? undefined : { content: blocks }),
      ...(isError === true ? { is_error: true } : undefined),
      ...getExtraFields(extra),
      ...writeCacheMark(cache)
    }
  ])

/**
 * Thinking that Anthropic did not sign is left out, and so are pictures and sound of other models' answers, for which an
 * answer has no place here.
 */
export const writeAssistantBlocks = (
  parts: ReadonlyArray<Part>,
  options: BlockOptions
): ReadonlyArray<Json> => {
  const blocks: Array<Json> = []
  for (const part of dropForeignReasoning(parts, "anthropic")) {
    switch (part.type) {
      case "text":
        blocks.push(...writeText(part))
        break
      case "refusal":
        blocks.push(...writeText({ type: "text", text: part.refusal }))
        break
      case "reasoning":
        if ((part.signature ?? part.encrypted) !== undefined) blocks.push(...writeThinking([part]))
        break
      case "call":
        blocks.push(writeCall(part, options))
        break
      case "opaque":
        blocks.push(...writeOpaque(part))
        break
      case "audio":
      case "file":
      case "image":
      case "result":
      case "video":
        break
    }
  }
  return blocks
}

const writeCall = (call: CallPart, { changes, names }: BlockOptions): Json => ({
  type: "tool_use",
  id: toDialectId(call.id, messagesIds),
  name: names.toDialect(call),
  input: writePastArguments(call, changes),
  ...getExtraFields(call.extra),
  ...writeCacheMark(call.cache)
})
