/** Runs the writer and the reader of streamed answers in tests. */
import { checkGeminiEvents } from "@signalbox/testing"
import {
  encodeGeminiEvent,
  makeGeminiEventWriter
} from "../../../src/dialects/gemini/writeEvents.ts"
import {
  type GeminiStreamOptions,
  makeGeminiEventReader
} from "../../../src/dialects/gemini/readEvents.ts"
import type { GeminiAnswerFacts } from "../../../src/dialects/gemini/writeAnswer.ts"
import type { ChatDelta } from "../../../src/engine/upstreams/ChatCapability.ts"
import { makeDeltaParser, type WrittenDelta } from "@signalbox/testing"
import { mergeDeltas } from "../mergeDeltas.ts"
import { type ReadEvents, readEvents } from "../readEvents.ts"

export type Json = Readonly<Record<string, unknown>>

export const facts: GeminiAnswerFacts = { id: "gen-1", model: "acme/m" }
export const usage = { inputTokens: 12, outputTokens: 7, reasoningTokens: 2 }

/** An event, or a whole answer, of the provider. */
export const answer = (
  parts: ReadonlyArray<Json>,
  rest: Json = {},
  candidate: Json = {}
): Json => ({
  candidates: [{ content: { role: "model", parts }, index: 0, ...candidate }],
  modelVersion: "gemini-3-pro",
  responseId: "resp1",
  ...rest
})

export const counts = { promptTokenCount: 12, candidatesTokenCount: 5, thoughtsTokenCount: 2 }

/** The same answer in events: each text in pieces of these sizes, a signature with the last of them. */
export const toEvents = (
  parts: ReadonlyArray<Json>,
  sizes: ReadonlyArray<number>,
  finishReason = "STOP"
): ReadonlyArray<Json> => [
  ...parts.flatMap((part) => cutPart(part, sizes)).map((part) => answer([part])),
  answer([], { usageMetadata: counts }, { finishReason })
]

const cutPart = (part: Json, sizes: ReadonlyArray<number>): ReadonlyArray<Json> => {
  const { text, thoughtSignature, ...rest } = part
  if (typeof text !== "string") return [part]
  const pieces: Array<string> = []
  let left = text
  for (const size of sizes) {
    if (left.length <= size) break
    pieces.push(left.slice(0, size))
    left = left.slice(size)
  }
  const last = { text: left, ...(thoughtSignature === undefined ? {} : { thoughtSignature }) }
  return [...pieces.map((piece) => ({ text: piece })), last].map((each) => ({ ...rest, ...each }))
}

/** What the events say to chat. */
export const readStream = (
  events: ReadonlyArray<Json>,
  options?: GeminiStreamOptions
): ReadEvents => readEvents(makeGeminiEventReader(options), events)

const omitIndex = (call: Json): Json => {
  const { index: _, ...rest } = call
  return rest
}

/** The message in the deltas of one answer, in which calls need no index. */
export const merge = (deltas: ReadonlyArray<WrittenDelta>): Json => {
  const { tool_calls: calls, ...message } = mergeDeltas(deltas)
  if (!Array.isArray(calls)) return message
  return { ...message, tool_calls: calls.map(omitIndex) }
}

/** The events of deltas in the form of chat, as a client reads them. */
export const writeStream = (
  deltas: ReadonlyArray<WrittenDelta>,
  more?: Partial<GeminiAnswerFacts>
): ReadonlyArray<Json> => writeDeltas(deltas.map(makeDeltaParser()), more)

/** The events of deltas, as a client reads them. */
export const writeDeltas = (
  deltas: ReadonlyArray<ChatDelta>,
  more: Partial<GeminiAnswerFacts> = {}
): ReadonlyArray<Json> => {
  const writer = makeGeminiEventWriter({ ...facts, ...more })
  return sendEvents([
    ...deltas.flatMap((delta) => writer.write({ type: "delta", choices: [delta] })),
    ...writer.end({ usage })
  ])
}

/** The order of all events is checked. */
const sendEvents = (events: ReadonlyArray<Json>): ReadonlyArray<Json> => {
  const body = events.map(encodeGeminiEvent).join("")
  const problems = checkGeminiEvents(body)
  if (problems.length > 0) throw new Error(problems.join("\n"))
  return body
    .split("\n\n")
    .filter((event) => event !== "")
    .map((event) => JSON.parse(event.slice("data: ".length)) as Json)
}

export const say = (delta: Json): WrittenDelta => ({
  index: 0,
  delta,
  finishReason: null
})

/** The parts of one candidate in all events. */
export const collectParts = (events: ReadonlyArray<Json>, index = 0): ReadonlyArray<Json> =>
  events.flatMap((event) =>
    ((event["candidates"] ?? []) as ReadonlyArray<Json>).flatMap((candidate) => {
      const { parts = [] } = (candidate["content"] ?? {}) as {
        readonly parts?: ReadonlyArray<Json>
      }
      return candidate["index"] === index ? parts.filter(isSaid) : []
    })
  )

const isSaid = ({ text, thoughtSignature }: Json): boolean =>
  text !== "" || thoughtSignature !== undefined
