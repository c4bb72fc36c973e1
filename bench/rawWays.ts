/**
 * Compares the raw ways of a chat with the translated ones that they save: the request and the answer of a provider that speaks
 * its caller's dialect are passed on, and an event that differs from the last one in a text alone is copied. Compare ratios,
 * because absolute times depend on the machine.
 *
 * Usage: node bench/rawWays.ts [rounds] [milliseconds per measurement]
 */
import * as Result from "effect/Result"
import { makeEventEncoder } from "../packages/core/src/domains/chat/stream/ChunkEncoder.ts"
import { ChatEventReader } from "../packages/core/src/dialects/chat/readEvents.ts"
import { parseChatConversation } from "../packages/core/src/dialects/chat/parseRequest.ts"
import { writeChatRequest } from "../packages/core/src/dialects/chat/writeRequest.ts"
import { parseMessagesRequest } from "../packages/core/src/dialects/messages/parseRequest.ts"
import { passOnMessages } from "../packages/core/src/dialects/messages/passOnMessages.ts"
import { writeMessagesRequest } from "../packages/core/src/dialects/messages/writeRequest.ts"
import { parseResponsesRequest } from "../packages/core/src/dialects/responses/parseRequest.ts"
import { passOnResponses } from "../packages/core/src/dialects/responses/passOnResponses.ts"
import { writeResponsesRequest } from "../packages/core/src/dialects/responses/writeRequest.ts"
import { makeRedactor } from "../packages/core/src/engine/secrets/Redactor.ts"
import { defaults } from "../packages/core/src/instance/Settings.ts"
import type {
  ChatDeltaEvent,
  ChatEvent
} from "../packages/core/src/engine/upstreams/ChatCapability.ts"
import {
  type EventReader,
  EventDecoder
} from "../packages/core/src/engine/upstreams/transport/EventDecoder.ts"
import { canMeasureBytes, measureBytes } from "./budgets/measureBytes.ts"
import { median } from "./quantile.ts"

const [rounds = 15, span = 40] = process.argv.slice(2).map(Number)
const question = "What is a lighthouse for? ".repeat(10)
const model = "bench-1"
const call = {
  model,
  isStreamed: false,
  maxOutputTokens: 1_000,
  supportedParameters: undefined,
  serviceTier: undefined
}

const chat = {
  messages: [
    { role: "system", content: "Be brief." },
    { role: "user", content: question },
    { role: "assistant", content: "It warns ships." },
    { role: "user", content: question }
  ],
  temperature: 0.5,
  max_tokens: 1_000
}
const messages = {
  model,
  max_tokens: 1_000,
  system: "Be brief.",
  messages: chat.messages.slice(1),
  temperature: 0.5
}
const responses = { model, instructions: "Be brief.", input: chat.messages.slice(1), store: false }

const eventCount = 200
const toEvent = (delta: object): string =>
  `data: ${JSON.stringify({ id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model, choices: [{ index: 0, delta, finish_reason: null }] })}\n\n`
const stream = new TextEncoder().encode(
  toEvent({ role: "assistant", content: "A" }) +
    toEvent({ content: " lighthouse" }).repeat(eventCount)
)
const redactor = makeRedactor(["sk-bench-upstream"])
const head = {
  id: "gen-1",
  object: "chat.completion.chunk",
  created: 1,
  model,
  provider: "Bench"
} as const

/** Reads and writes all events of a stream. */
const passStream = (makeReader: () => EventReader<ChatEvent>) => () => {
  const events = new EventDecoder(makeReader(), redactor, defaults).feed(stream)
  return makeEventEncoder(head)(
    events.filter((event): event is ChatDeltaEvent => event.type === "delta")
  )
}

const translate = <A>(parsed: Result.Result<A, unknown>, write: (said: A) => unknown): unknown =>
  write(Result.getOrThrow(parsed))

const ways = [
  {
    name: "a request of Messages",
    raw: () => passOnMessages(messages, call, { takesUrls: true }),
    translated: () =>
      translate(parseMessagesRequest(messages), (said) =>
        writeMessagesRequest(said, { model, maxOutputTokens: 1_000 })
      )
  },
  {
    name: "a request of Responses",
    raw: () => passOnResponses(responses, call, "openai"),
    translated: () =>
      translate(parseResponsesRequest(responses), (said) => writeResponsesRequest(said, { model }))
  },
  {
    name: "a request of chat",
    raw: () => ({ ...chat, model, stream: false }),
    translated: () => {
      const { messages, ...parameters } = chat
      return translate(parseChatConversation({ messages, parameters }), (said) =>
        writeChatRequest(said)
      )
    }
  },
  {
    name: `a stream of ${eventCount} texts of chat`,
    raw: passStream(() => new ChatEventReader()),
    translated: passStream(() => {
      const reader = new ChatEventReader()
      return { read: (json) => reader.read(json), done: () => reader.done() }
    })
  }
]

const micros = (work: () => unknown): number => {
  const started = performance.now()
  let times = 0
  let elapsed = 0
  while (elapsed < span) {
    for (let i = 0; i < 10; i++) work()
    times += 10
    elapsed = performance.now() - started
  }
  return (elapsed * 1_000) / times
}

const rows = []
for (const { name, raw, translated } of ways) {
  const times = Array.from({ length: rounds }, () => [micros(raw), micros(translated)] as const)
  const [rawMicros, translatedMicros] = [0, 1].map((at) =>
    median(times.map((each) => each[at] ?? 0))
  )
  const bytes = canMeasureBytes
    ? [
        await measureBytes(async () => raw(), 1_000),
        await measureBytes(async () => translated(), 1_000)
      ]
    : []
  rows.push({
    way: name,
    "raw (us)": rawMicros?.toFixed(2),
    "translated (us)": translatedMicros?.toFixed(2),
    "ratio of times": ((translatedMicros ?? 0) / (rawMicros ?? 1)).toFixed(1),
    "raw (bytes)": bytes[0]?.toFixed(0) ?? "-",
    "translated (bytes)": bytes[1]?.toFixed(0) ?? "-"
  })
}
console.table(rows)
