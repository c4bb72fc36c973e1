/** What the tests of streamed responses share. */
import { type NamedEvent, encodeNamedEvent } from "../../../src/dialects/NamedEvent.ts"
import {
  makeResponsesEventReader,
  type ResponsesEventReaderOptions
} from "../../../src/dialects/responses/readEvents.ts"
import { makeResponsesEventWriter } from "../../../src/dialects/responses/writeEvents.ts"
import type { ResponseEnd, ResponseFacts } from "../../../src/dialects/responses/responseObject.ts"
import type { ChatDelta } from "../../../src/engine/upstreams/ChatCapability.ts"
import { makeDeltaParser, type WrittenDelta } from "@signalbox/testing"
import { mergeDeltas } from "../mergeDeltas.ts"
import { type ReadEvents, readEvents } from "../readEvents.ts"

export type Json = Readonly<Record<string, unknown>>

export const facts: ResponseFacts = {
  id: "resp_1",
  model: "acme/m",
  created: 1_700_000_000,
  request: { include: ["reasoning.encrypted_content"] },
  tools: []
}

export const end: ResponseEnd = {
  usage: { inputTokens: 7, outputTokens: 5, cachedTokens: 3, reasoningTokens: 2 },
  usageFields: { cost: 0.01, is_byok: false },
  completed: 1_700_000_001
}

/** Pieces of one answer in the form of chat; a text is the reason of its end. */
export type Piece = Json | string

export const toDelta = (piece: Piece): WrittenDelta =>
  typeof piece === "string"
    ? { index: 0, delta: {}, finishReason: piece }
    : { index: 0, delta: piece, finishReason: null }

export const toDeltas = (pieces: ReadonlyArray<Piece>): ReadonlyArray<ChatDelta> =>
  pieces.map(toDelta).map(makeDeltaParser())

export const writeEvents = (
  pieces: ReadonlyArray<Piece>,
  more?: Partial<ResponseFacts>
): ReadonlyArray<NamedEvent> => writeDeltas(toDeltas(pieces), more)

export const writeDeltas = (
  deltas: ReadonlyArray<ChatDelta>,
  more: Partial<ResponseFacts> = {}
): ReadonlyArray<NamedEvent> => {
  const writer = makeResponsesEventWriter({ ...facts, ...more })
  return [
    ...deltas.flatMap((delta) => writer.write({ type: "delta", choices: [delta] })),
    ...writer.end(end)
  ]
}

export const toBody = (events: ReadonlyArray<NamedEvent>): string =>
  `${events.map(encodeNamedEvent).join("")}data: [DONE]\n\n`

/** The JSON of events as a provider would send it. */
export const reparse = (events: ReadonlyArray<NamedEvent>): ReadonlyArray<Json> =>
  JSON.parse(JSON.stringify(events))

export const getResponse = (events: ReadonlyArray<Json>): Json => {
  const response = events.at(-1)?.["response"]
  return Object.fromEntries(Object.entries(response ?? {}))
}

export const getOutput = (events: ReadonlyArray<Json>): ReadonlyArray<Json> => {
  const { output } = getResponse(events)
  return Array.isArray(output) ? output : []
}

/** What the events say to chat. */
export const readStream = (
  events: ReadonlyArray<Json>,
  options?: ResponsesEventReaderOptions
): ReadEvents => readEvents(makeResponsesEventReader(options), events)

/** The answer in the deltas, and the reason of its end. */
export const merge = (deltas: ReadonlyArray<WrittenDelta>): Json => ({
  ...mergeDeltas(deltas),
  finishReason: deltas.findLast(({ finishReason }) => finishReason !== null)?.finishReason ?? null
})
