/** Writes turns as the items of a request. */
import type { Turn } from "../../conversation/Conversation.ts"
import type {
  CallPart,
  MediaSource,
  Part,
  ReasoningPart,
  ResultPart
} from "../../conversation/Part.ts"
import { isObject } from "../../values/json/guards.ts"
import type { ToolNames } from "../ToolNames.ts"
import type { Path, RequestProblems } from "../UntranslatableRequest.ts"
import { dropForeignReasoning, type ReasoningFamily } from "../reasoningFamily.ts"
import { responsesIds, toDialectId } from "../toDialectId.ts"
import { getExtraFields, type Json } from "./fields.ts"

export interface InputOptions {
  readonly names: ToolNames
  /** The family whose reasoning the provider reads. */
  readonly family: ReasoningFamily
}

/** The turns have the results of calls right behind their calls. */
export const writeInput = (
  turns: ReadonlyArray<Turn>,
  { family, names }: InputOptions,
  problems: RequestProblems
): ReadonlyArray<Json> => {
  const customCalls = new Set<string>()
  // Results have moved to their calls, so indices of turns differ from those of the caller's messages.
  const path: Path = ["messages"]
  return turns.flatMap((turn): ReadonlyArray<Json> => {
    switch (turn.role) {
      case "system":
      case "user": {
        const { role, ...fields } = getExtraFields(turn)
        return [
          {
            type: "message",
            role: role === "developer" ? role : turn.role,
            content: writeContent(turn.parts, path, problems),
            ...fields
          }
        ]
      }
      case "assistant":
        for (const part of turn.parts) {
          if (part.type === "call" && part.isCustom === true) customCalls.add(part.id)
        }
        return writeSaid(dropForeignReasoning(turn.parts, family), names, path, problems)
      case "tool":
        return turn.parts.flatMap((part) =>
          part.type === "result"
            ? [writeResult(part, customCalls.has(part.callId), path, problems)]
            : []
        )
    }
  })
}

/** Items in the order of the parts: neighbouring texts share a message, reasoning of one id an item. */
const writeSaid = (
  parts: ReadonlyArray<Part>,
  names: ToolNames,
  path: Path,
  problems: RequestProblems
): ReadonlyArray<Json> => {
  const items: Array<Json> = []
  let said: Array<Json> = []
  let message: Json = {}
  let thoughts: Array<ReasoningPart> = []
  const flush = (): void => {
    if (said.length > 0)
      items.push({ type: "message", role: "assistant", content: said, ...message })
    items.push(...writeReasoningItem(thoughts))
    said = []
    thoughts = []
  }
  const say = (content: Json, fields: unknown): void => {
    const wanted = isObject(fields) ? fields : {}
    if (thoughts.length > 0 || (said.length > 0 && !isSame(wanted, message))) flush()
    message = wanted
    said.push(content)
  }
  for (const part of parts) {
    switch (part.type) {
      case "text": {
        const { message: fields, ...marks } = getExtraFields(part)
        if (part.text !== "") say({ type: "output_text", text: part.text, ...marks }, fields)
        break
      }
      case "refusal":
        say({ type: "refusal", refusal: part.refusal }, said.length > 0 ? message : undefined)
        break
      case "reasoning":
        if (said.length > 0 || thoughts.some(({ id }) => id !== part.id)) flush()
        thoughts.push(part)
        break
      case "call":
        flush()
        items.push(writeCall(part, names))
        break
      case "opaque":
        if (part.dialect !== "responses" || !isObject(part.raw)) break
        flush()
        items.push(part.raw)
        break
      case "audio":
      case "file":
      case "image":
      case "video":
        problems.add(path, `has a medium of the assistant, which this provider's API does not take`)
        break
      case "result":
        break
    }
  }
  flush()
  return items
}

const isSame = (self: Json, that: Json): boolean => JSON.stringify(self) === JSON.stringify(that)

/** The provider stores nothing, so it would not find an item without its encrypted content. */
export const writeReasoningItem = (parts: ReadonlyArray<ReasoningPart>): ReadonlyArray<Json> => {
  const encrypted = parts.findLast((part) => part.encrypted !== undefined)?.encrypted
  if (encrypted === undefined) return []
  const id = parts[0]?.id
  const texts = parts.flatMap(({ isSummary, text }) =>
    text === undefined ? [] : [{ isSummary, text }]
  )
  const content = texts.filter(({ isSummary }) => isSummary !== true)
  return [
    {
      type: "reasoning",
      ...(id?.startsWith("rs_") === true ? { id } : undefined),
      summary: texts
        .filter(({ isSummary }) => isSummary === true)
        .map(({ text }) => ({ type: "summary_text", text })),
      ...(content.length === 0
        ? undefined
        : { content: content.map(({ text }) => ({ type: "reasoning_text", text })) }),
      encrypted_content: encrypted
    }
  ]
}

const writeCall = (call: CallPart, names: ToolNames): Json => ({
  ...(call.isCustom === true
    ? { type: "custom_tool_call", input: call.arguments }
    : { type: "function_call", arguments: call.arguments || "{}" }),
  call_id: toDialectId(call.id, responsesIds),
  name: names.toDialect({ name: call.name }),
  ...(call.namespace === undefined ? undefined : { namespace: call.namespace }),
  ...getExtraFields(call)
})

const writeResult = (
  result: ResultPart,
  isCustom: boolean,
  path: Path,
  problems: RequestProblems
): Json => ({
  type: isCustom || result.isCustom === true ? "custom_tool_call_output" : "function_call_output",
  call_id: toDialectId(result.callId, responsesIds),
  output: writeOutput(result, path, problems),
  ...getExtraFields(result)
})

/** The API has no mark for a failed call, so the text says it. */
const writeOutput = (
  { content, isError }: ResultPart,
  path: Path,
  problems: RequestProblems
): string | ReadonlyArray<Json> => {
  const output = writeContent(content, path, problems)
  if (isError !== true) return output
  return typeof output === "string"
    ? `Error: ${output}`
    : [{ type: "input_text", text: "Error:" }, ...output]
}

/** One text when that is enough, else a list of parts. */
const writeContent = (
  parts: ReadonlyArray<Part>,
  path: Path,
  problems: RequestProblems
): string | ReadonlyArray<Json> => {
  const [first] = parts
  if (first === undefined) return ""
  return parts.length === 1 && first.type === "text" && first.extra?.dialect !== "responses"
    ? first.text
    : parts.flatMap((part) => writePart(part, path, problems))
}

const writePart = (part: Part, path: Path, problems: RequestProblems): ReadonlyArray<Json> => {
  const fail = (problem: string): ReadonlyArray<Json> => {
    problems.add(path, problem)
    return []
  }
  switch (part.type) {
    case "text":
      return [{ type: "input_text", text: part.text, ...getExtraFields(part) }]
    case "refusal":
      return [{ type: "input_text", text: part.refusal }]
    case "image": {
      const source = writeSource(part.source, "image_url", "image_url")
      if (source === undefined) return fail("refers to an image at another provider")
      // The API requires the field.
      return [
        { type: "input_image", detail: part.detail ?? "auto", ...source, ...getExtraFields(part) }
      ]
    }
    case "file": {
      const source = writeSource(part.source, "file_url", "file_data")
      if (source === undefined) return fail("refers to a file at another provider")
      return [
        {
          type: "input_file",
          ...(part.filename === undefined ? undefined : { filename: part.filename }),
          ...source,
          ...getExtraFields(part)
        }
      ]
    }
    case "audio":
      if (part.source.type !== "base64") return fail("has audio that is not base64")
      return [
        {
          type: "input_audio",
          input_audio: {
            data: part.source.data,
            format: part.format ?? part.source.mediaType.replace(/^audio\//, "")
          },
          ...getExtraFields(part)
        }
      ]
    case "video": {
      const source = writeSource(part.source, "video_url", "video_url")
      if (source === undefined) return fail("refers to a video at another provider")
      return [{ type: "input_video", ...source, ...getExtraFields(part) }]
    }
    case "opaque":
      return part.dialect === "responses" && typeof part.raw === "object" && part.raw !== null
        ? [{ ...part.raw }]
        : []
    case "call":
    case "reasoning":
    case "result":
      return []
  }
}

/** Undefined for the id of a file at another provider. */
const writeSource = (source: MediaSource, url: string, data: string): Json | undefined => {
  switch (source.type) {
    case "url":
      return { [url]: source.url }
    case "base64":
      return { [data]: `data:${source.mediaType};base64,${source.data}` }
    case "id":
      return source.dialect === "responses" ? { file_id: source.id } : undefined
  }
}
