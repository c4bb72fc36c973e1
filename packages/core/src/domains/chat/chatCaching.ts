/** How the answers of chats are stored for requests that are the same, whole and streamed. */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import type { AnswerEnd } from "../../conversation/Answer.ts"
import type {
  ChatDeltaEvent,
  ChatReply,
  ChatServingInfo
} from "../../engine/upstreams/ChatCapability.ts"
import type { AnswerCaching, ComparablePrompt } from "../../routing/cache/AnswerCaching.ts"
import type { Candidate } from "../../routing/Candidate.ts"
import { isObject } from "../../values/json/guards.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import type { Push } from "../../values/push/PushStream.ts"
import { isRepeatable } from "./ChatWork.ts"
import { isIgnorable } from "./request/listIgnoredParameters.ts"
import type { ParsedChat } from "./request/parseChatRequest.ts"
import type { ChatAccumulator } from "./stream/ChatAccumulator.ts"

type Json = Readonly<Record<string, unknown>>

/**
 * The request without what says who asks. Undefined for a chat that does more at its provider than to answer, such as to
 * search: its answer would be another one later.
 */
export const toCacheContent = (
  parsed: ParsedChat,
  isStreamed: boolean
): CachedChatContent | undefined => {
  if (!isRepeatable(parsed) || parsed.serverTools !== undefined) return undefined
  const { dialectHeaders, native, request } = parsed
  return {
    api: native.dialect,
    isStreamed,
    body: omitNames(native.body, callerFields[native.dialect]),
    // Such as plugins, which no provider gets, but which change what one gets.
    router: Object.fromEntries(
      Object.entries(request).filter(([name]) => isIgnorable(name) && !unread.has(name))
    ),
    headers: dialectHeaders?.headers
  }
}

interface CachedChatContent extends Json {
  readonly body: Json
}

/** Its last message, where that is text of the user. An answer that calls tools is about this text alone. */
const findPrompt = (content: CachedChatContent | undefined): ComparablePrompt | undefined => {
  if (content === undefined || content.body["tools"] !== undefined) return undefined
  const { body } = content
  const name = body["messages"] === undefined ? "input" : "messages"
  const said = body[name]
  const toPrompt = (text: string, before: unknown): ComparablePrompt | undefined =>
    text.trim() === ""
      ? undefined
      : { text, rest: { ...content, body: { ...body, [name]: before } } }
  if (typeof said === "string") return toPrompt(said, null)
  const last: unknown = Array.isArray(said) ? said.at(-1) : undefined
  if (!Array.isArray(said) || !isObject(last) || last["role"] !== "user") return undefined
  const text = readText(last["content"])
  return text === undefined
    ? undefined
    : toPrompt(text, [...said.slice(0, -1), { ...last, content: null }])
}

/** Undefined for content with anything beside text. */
const readText = (content: unknown): string | undefined => {
  if (typeof content === "string") return content
  if (!Array.isArray(content)) return undefined
  const texts: Array<string> = []
  for (const part of content) {
    if (!isObject(part) || typeof part["text"] !== "string") return undefined
    if (part["type"] !== "text" && part["type"] !== "input_text") return undefined
    texts.push(part["text"])
  }
  return texts.join("\n")
}

/** Fields of each API that say who asks, or how the answer is sent. */
const callerFields: Readonly<Record<ParsedChat["native"]["dialect"], ReadonlySet<string>>> = {
  chat: new Set(),
  messages: new Set(["metadata", "model", "stream"]),
  responses: new Set(["model", "stream", "user"])
}

const unread: ReadonlySet<string> = new Set(["debug", "metadata"])

const omitNames = (fields: Json, names: ReadonlySet<string>): Json =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.has(name)))

const toComparable = (parsed: ParsedChat, isStreamed: boolean) => {
  const content = toCacheContent(parsed, isStreamed)
  return { content, getPrompt: () => findPrompt(content) }
}

/** For an answer that is returned as a whole. */
export const makeCompletionCaching = (parsed: ParsedChat): AnswerCaching<ChatReply> => ({
  ...toComparable(parsed, false),
  write: ({ choices, model, native, serverCalls, ...reply }) =>
    serverCalls === undefined && choices.every(({ answer: { end } }) => isComplete(end))
      ? JSON.stringify({
          ...toServing(reply),
          ...omitUndefined({ model }),
          choices,
          native: native && { ...native, usage: null }
        })
      : undefined,
  // This module has written it.
  replay: (written) => Effect.sync((): ChatReply => JSON.parse(written))
})

/** Receives a stored answer in pieces. */
interface ReplaySink {
  readonly opened: (candidate: Candidate, isCached: true) => void
  readonly push: Push<ChatDeltaEvent>
  readonly said: ChatAccumulator
}

/** For an answer that is streamed to a sink. `onCollect` gets what is to collect its pieces. */
export const makeStreamCaching = (
  parsed: ParsedChat,
  { opened, push, said }: ReplaySink,
  maxCharacters: number,
  onCollect: (collected: CollectedPieces) => void
): AnswerCaching<ChatReply> => {
  const collected = new CollectedPieces(maxCharacters)
  return {
    ...toComparable(parsed, true),
    collect: () => onCollect(collected),
    write: (reply) => collected.write(reply),
    replay: (written, candidate) =>
      Effect.suspend(() => {
        // `CollectedPieces` has written it.
        const { pieces, report }: WrittenStream = JSON.parse(written)
        opened(candidate, true)
        const sending = Effect.forEach(
          Arr.chunksOf(pieces, replayedPieces),
          (batch) => {
            for (const { choices } of batch) said.add(choices)
            return push(batch)
          },
          { discard: true }
        )
        return Effect.map(sending, () => ({ ...report, choices: said.choices() }))
      })
  }
}

/** How many stored pieces are sent at once. */
const replayedPieces = 64

const toServing = ({ serviceTier, systemFingerprint }: ChatServingInfo): ChatServingInfo =>
  omitUndefined({ serviceTier, systemFingerprint })

/** It was neither cut off by a filter nor by an error. */
const isComplete = ({ reason }: AnswerEnd): boolean =>
  reason !== null && reason !== "content_filter" && reason !== "error"

/** Collects the pieces of a streamed answer. */
export class CollectedPieces {
  readonly #maxCharacters: number
  #text = ""
  #ends: Map<number, AnswerEnd | undefined> | undefined = new Map()

  /** Longer answers are not kept. */
  constructor(maxCharacters: number) {
    this.#maxCharacters = maxCharacters
  }

  add(pieces: ReadonlyArray<ChatDeltaEvent>): void {
    const ends = this.#ends
    if (ends === undefined) return
    for (const piece of pieces) {
      for (const { end, index } of piece.choices) {
        if (end !== undefined || !ends.has(index)) ends.set(index, end)
      }
      const { native } = piece
      const kept = native === undefined ? piece : { ...piece, native: native.map(omitUsage) }
      this.#text += (this.#text === "" ? "" : ",") + JSON.stringify(kept)
    }
    if (this.#text.length > this.#maxCharacters) {
      this.#text = ""
      this.#ends = undefined
    }
  }

  /** JSON; undefined: the answer is incomplete or too long. */
  write({ model, serverCalls, ...report }: ChatReply): string | undefined {
    const ends = this.#ends
    if (ends === undefined || ends.size === 0 || serverCalls !== undefined) return undefined
    for (const end of ends.values()) if (end === undefined || !isComplete(end)) return undefined
    const told = JSON.stringify({ ...toServing(report), ...omitUndefined({ model }) })
    return `{"pieces":[${this.#text}],"report":${told}}`
  }
}

/** What `CollectedPieces.write` writes. */
interface WrittenStream {
  readonly pieces: ReadonlyArray<ChatDeltaEvent>
  readonly report: Omit<ChatReply, "choices">
}

/** An event of a provider without the usage, which was that of another request. Its place stays. */
const omitUsage = (event: Json): Json => {
  const { message, usage } = event
  if (isObject(message)) return { ...event, message: { ...message, usage: null } }
  return usage === undefined ? event : { ...event, usage: null }
}
