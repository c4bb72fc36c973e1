/**
 * Leaves messages out of the middle of a chat until an endpoint has room for it:
 * https://openrouter.ai/docs/guides/features/message-transforms.
 */
import * as Result from "effect/Result"
import type { Endpoint } from "../../engine/catalog/endpoint/Endpoint.ts"
import { UpstreamFailure } from "../../engine/upstreams/failures/UpstreamFailure.ts"
import { listMessages } from "../../engine/upstreams/openaiChat/ChatBody.ts"
import { isObject } from "../../values/json/guards.ts"
import { estimatePromptTokens, type ParsedChat } from "./request/parseChatRequest.ts"
import { readTurns } from "./request/chatTexts.ts"
import { SaidInMessages } from "./said/SaidInMessages.ts"
import { SaidInTurns } from "./said/SaidInTurns.ts"
import { findLeftOut, type Speaker } from "./findLeftOut.ts"

export interface CompressedChat {
  readonly parsed: ParsedChat
  /** The places of the messages that are left out, such as `messages.3`. */
  readonly leftOut: ReadonlyArray<string>
}

/** Fails if what must stay is too long: instructions, the first message, and the last ones. */
export const compressChat = (
  parsed: ParsedChat,
  endpoint: Pick<Endpoint, "contextLength" | "maxCompletionTokens" | "maxPromptTokens">
): Result.Result<CompressedChat, UpstreamFailure> => {
  const { native, said } = parsed
  const inTurns = native.dialect === "chat" && said instanceof SaidInTurns
  const name = native.dialect === "responses" ? "input" : "messages"
  const list: unknown = inTurns ? said.turns : native.body[name]
  const items: ReadonlyArray<unknown> = Array.isArray(list) ? list : []
  const sizes = items.map(estimateItem)
  const leftOut = findLeftOut(
    items.map((item, at) => ({ speaker: findSpeaker(item), tokens: sizes[at] ?? 0 })),
    findExcess(parsed, endpoint)
  )
  if (leftOut === undefined) return Result.fail(tooLong)
  const kept = items.filter((_, at) => !leftOut.has(at))
  const tokens = [...leftOut].reduce((sum, at) => sum + (sizes[at] ?? 0), 0)
  const shortened = { ...parsed, inputTokens: Math.max(0, parsed.inputTokens - tokens) }
  const places = Array.from(leftOut, (at) => (inTurns ? name : `${name}.${at}`))
  if (inTurns) {
    const turns = said.turns.filter((_, at) => !leftOut.has(at))
    const edited = said.withTurns(() => turns)
    return Result.succeed({
      parsed: {
        ...shortened,
        said: edited,
        native: {
          dialect: "chat",
          get body() {
            return { ...native.body, messages: edited.toMessages() }
          }
        }
      },
      leftOut: Array.from(new Set(places))
    })
  }
  const body = { ...native.body, [name]: kept }
  return Result.succeed({
    parsed: {
      ...shortened,
      native: { ...native, body },
      said:
        said instanceof SaidInTurns
          ? said.withTurns(() => readTurns(native, body))
          : new SaidInMessages(listMessages(kept))
    },
    leftOut: places
  })
}

/** By how many tokens the chat is too long. One without a cap gets room for an answer of an eighth of the context. */
const findExcess = (
  { inputTokens, maxOutputTokens }: ParsedChat,
  {
    contextLength = Infinity,
    maxCompletionTokens = Infinity,
    maxPromptTokens = Infinity
  }: Parameters<typeof compressChat>[1]
): number => {
  const answer = maxOutputTokens ?? Math.min(maxCompletionTokens, Math.floor(contextLength / 8))
  return inputTokens - Math.min(maxPromptTokens, contextLength - answer)
}

const tooLong = new UpstreamFailure({
  kind: "context_length",
  detail: "the prompt is too long, even without the messages that may be left out"
})

/** In the words of each API, and in turns. */
const findSpeaker = (item: unknown): Speaker => {
  if (!isObject(item)) return "instruction"
  const { content, role, type } = item
  if (role === "tool" || role === "function") return "result"
  if (role === "assistant") return "model"
  if (role === "user") return Array.isArray(content) && content.some(isResult) ? "result" : "user"
  if (role !== undefined || typeof type !== "string") return "instruction"
  if (type.endsWith("_output")) return "result"
  return type === "reasoning" || type === "item_reference" || type.endsWith("_call")
    ? "model"
    : "instruction"
}

const isResult = (block: unknown): boolean => isObject(block) && block["type"] === "tool_result"

/** As the length of the whole prompt is estimated: media count alike, whatever their length. */
const estimateItem = (item: unknown): number => {
  const media: Array<{ readonly type: "file"; readonly length: number }> = []
  const text = JSON.stringify(item, (_, value: unknown) => {
    if (typeof value !== "string" || !isMedium(value)) return value
    media.push({ type: "file", length: 0 })
    return ""
  })
  return estimatePromptTokens(media, new TextEncoder().encode(text).length)
}

/** A `data:` address, or base64 of a length that no word has. */
const isMedium = (text: string): boolean =>
  text.startsWith("data:") || (text.length > 512 && /^[\w+/=-]+$/.test(text.slice(0, 512)))
