/** Runs the writer and the reader of streamed messages in tests. */
import { type NamedEvent, encodeNamedEvent } from "../../../src/dialects/NamedEvent.ts"
import type { UsageFacts } from "../../../src/dialects/AnswerFacts.ts"
import { makeMessagesEventReader } from "../../../src/dialects/messages/readEvents.ts"
import { makeMessagesEventWriter } from "../../../src/dialects/messages/writeEvents.ts"
import type { ChatDelta } from "../../../src/engine/upstreams/ChatCapability.ts"
import { makeDeltaParser, type WrittenDelta } from "@signalbox/testing"
import { type ReadEvents, readEvents } from "../readEvents.ts"
import { checkMessagesEvents } from "@signalbox/testing"
import { readServerSentEvents } from "./readServerSentEvents.ts"

type Json = Readonly<Record<string, unknown>>

/** The pieces of an answer in the form of chat, and how it ended. */
export interface StreamedAnswer {
  readonly deltas: ReadonlyArray<Json>
  readonly finishReason?: string | null
  readonly end?: Partial<Pick<WrittenDelta, "end" | "nativeFinishReason">>
  readonly usage?: UsageFacts
}

export const usage = { inputTokens: 12, outputTokens: 7 }

/** Writes the answer of a provider that speaks chat. */
export const writeStream = ({
  deltas,
  end = {},
  finishReason = "stop",
  usage: facts
}: StreamedAnswer): ReadonlyArray<NamedEvent> =>
  writeDeltas(
    [
      ...deltas.map((delta) => ({ index: 0, delta, finishReason: null })),
      { index: 0, delta: {}, finishReason, ...end }
    ].map(makeDeltaParser()),
    facts
  )

/** The events of an answer; each has been sent and read, and the order of all of them checked. */
export const writeDeltas = (
  deltas: ReadonlyArray<ChatDelta>,
  facts: UsageFacts = { usage }
): ReadonlyArray<NamedEvent> => {
  const writer = makeMessagesEventWriter({ id: "gen-1", model: "acme/m", inputTokens: 10 })
  return sendEvents([
    ...deltas.flatMap((delta) => writer.write({ type: "delta", choices: [delta] })),
    ...writer.end(facts)
  ])
}

export const sendEvents = (events: ReadonlyArray<NamedEvent>): ReadonlyArray<NamedEvent> => {
  const received = readServerSentEvents(events.map(encodeNamedEvent).join(""))
  const problems = checkMessagesEvents(received)
  if (problems.length > 0) throw new Error(problems.join("\n"))
  return received.map(({ data }) => data as NamedEvent)
}

/** What the events say to chat. */
export const readStream = (
  events: ReadonlyArray<Json>,
  reader = makeMessagesEventReader()
): ReadEvents => readEvents(reader, events)

/** The blocks of the events, put together. */
export const collectBlocks = (events: ReadonlyArray<Json>): ReadonlyArray<Json> => {
  const blocks: Array<Record<string, unknown>> = []
  for (const event of events) {
    const { content_block: block, delta } = event as Record<string, Record<string, unknown>>
    const index = event["index"] as number
    if (event["type"] === "content_block_start") {
      blocks[index] = { ...block, ...(block?.["type"] === "tool_use" ? { input: "" } : undefined) }
    }
    if (event["type"] !== "content_block_delta" || delta === undefined) continue
    const open = blocks[index]!
    for (const [name, value] of Object.entries(delta)) {
      const field = name === "partial_json" ? "input" : name
      if (name !== "type") open[field] = String(open[field]) + String(value)
    }
  }
  return blocks
}

/** The end of a message, of its event `message_delta`. */
export const getEnd = (events: ReadonlyArray<Json>): Json => {
  const event = events.find(({ type }) => type === "message_delta")
  return { ...(event?.["delta"] as Json), usage: event?.["usage"] }
}
