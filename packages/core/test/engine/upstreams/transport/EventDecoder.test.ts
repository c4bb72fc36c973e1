import { assert, describe, it } from "vitest"
import * as fc from "fast-check"
import { scaleRuns } from "../../../../../../vitest.scope.ts"
import { makeRedactor, type Redactor } from "../../../../src/engine/secrets/Redactor.ts"
import { defaults } from "../../../../src/instance/Settings.ts"
import type { ChatEvent } from "../../../../src/engine/upstreams/ChatCapability.ts"
import { ChatEventReader } from "../../../../src/dialects/chat/readEvents.ts"
import {
  EventDecoder,
  type EventReader
} from "../../../../src/engine/upstreams/transport/EventDecoder.ts"

const secret = "sk-planted"

/** Texts that JSON escapes, that may begin the secret, and that occur elsewhere in an event. */
const content = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(" light", " house", "\n", 'a "b"', "é日", "content") },
  {
    weight: 2,
    arbitrary: fc.constantFrom("s", "sk-", "planted", secret, "m-1", "", ",", ":", "\\", "\u2028")
  },
  fc.string({ unit: "binary", maxLength: 6 })
)
const usage = { prompt_tokens: 5, completion_tokens: 1 }
/** How a provider writes an event with this text. Most events of a stream are written alike. */
const writers: ReadonlyArray<(text: string) => string> = [
  (text) => write({ delta: { content: text } }),
  (text) => write({ delta: { content: text } }).replace(/\n\n$/, "\r\n\r\n"),
  (text) => write({ delta: { role: "assistant", content: text, refusal: null } }),
  (text) => write({ delta: { content: null, reasoning_content: text } }),
  (text) => write({ delta: { content: text, reasoning: text } }),
  (text) => write({ delta: { content: text }, finish_reason: "stop" }),
  (text) => write({ delta: { content: text }, finish_reason: "error" }),
  (text) => write({ delta: { content: text }, index: text.length }),
  (text) => write({ delta: { content: text } }, { model: text }),
  (text) => write({ delta: { content: text } }, { system_fingerprint: "fp-2" }),
  (text) => write({ delta: { content: text } }, { usage }),
  (text) => write({ delta: { content: text } }, { error: "it broke" }),
  (text) => write({ delta: {}, logprobs: { content: text } }),
  (text) => `data: ${JSON.stringify({ choices: [], usage, text })}\n\n`,
  (text) => `data: {"choices":[{"delta":{"content":"x","content":${JSON.stringify(text)}}}]}\n\n`,
  (text) => `data:${write({ delta: { content: text } }).slice(6)}`,
  (text) => write({ delta: { content: text } }).replace(/\n\n$/, "\n: comment\n\n"),
  (text) => `event: delta\n${write({ delta: { content: text } })}`,
  (text) => `event: error\n${write({ delta: { content: text } })}`,
  (text) => `data: [\n${write({ delta: { content: text } })}`,
  (text) => write({ delta: { content: "{}" } }).replace("{}", () => text),
  (text) => write({ delta: { content: "content" } }, { provider: text }),
  (text) => write({ delta: { content: text } }).replaceAll("t", "\\u0074"),
  (text) => `data: ${text.replaceAll(/[\r\n]/g, " ")}\n\n`,
  () => 'data: {"choices":[{"delta":{"content":"\\x"}}]}\n\n',
  () => ": comment\n\n",
  () => "data: [DONE]\n\n"
]
const write = (choice: object, rest: object = {}): string =>
  `data: ${JSON.stringify({ id: "c-1", model: "m-1", choices: [{ index: 0, ...choice }], ...rest })}\n\n`

/** With two texts after each other behind the content. */
const writeTwoTexts = (text: string): string =>
  write({ delta: { content: text } }, { provider: "one", system_fingerprint: "fp-2" })

/** A stream with runs of events that are written alike, in chunks. */
const stream = fc
  .record({
    runs: fc.array(
      fc.tuple(
        fc.oneof(
          { weight: 1, arbitrary: fc.constantFrom(0, 1, 2, 3) },
          fc.nat({ max: writers.length - 1 })
        ),
        fc.array(content, { minLength: 1, maxLength: 6 })
      ),
      { maxLength: 8 }
    ),
    sizes: fc.array(fc.nat({ max: 400 })),
    isTorn: fc.boolean()
  })
  .map(({ isTorn, runs, sizes }) => {
    const whole = runs
      .flatMap(([writer, texts]) => texts.map((text) => writers[writer]!(text)))
      .join("")
    const bytes = new TextEncoder().encode(whole)
    const chunks: Array<Uint8Array> = []
    let at = 0
    for (const size of sizes) chunks.push(bytes.subarray(at, (at += size)))
    return { chunks: [...chunks, bytes.subarray(at)], isTorn, whole }
  })

const decode = (
  reader: EventReader<ChatEvent>,
  redactor: Redactor,
  chunks: ReadonlyArray<Uint8Array>,
  maxUpstreamBodyBytes: number
) => {
  const settings = { ...defaults, maxUpstreamBodyBytes }
  const decoder = new EventDecoder(reader, redactor, settings)
  const steps = chunks.map((chunk) => [decoder.feed(chunk), decoder.isDone(), decoder.failure()])
  return [...steps, decoder.end(), decoder.failure()]
}

/** The reader of chats, what it tells about usage, and how many events it parsed. */
const makeReader = (isParsingAll: boolean) => {
  const usages: Array<unknown> = []
  const chat = new ChatEventReader(undefined, (each) => usages.push(each))
  const counts = { parsed: 0 }
  const reader: EventReader<ChatEvent> = {
    read: (json) => {
      counts.parsed++
      return chat.read(json)
    },
    ...(isParsingAll ? undefined : { findText: (json) => chat.findText(json) }),
    done: () => chat.done(),
    end: () => chat.end()
  }
  return { counts, reader, usages }
}

describe("EventDecoder", () => {
  it("reads events that are written alike as if it parsed each of them", () => {
    let parsed = 0
    let skipped = 0
    fc.assert(
      fc.property(
        stream,
        fc.constantFrom([], [secret]),
        fc.constantFrom(150, 1_000_000),
        ({ chunks }, secrets, maxBytes) => {
          const redactor = makeRedactor(secrets)
          const all = makeReader(true)
          const some = makeReader(false)
          const expected = decode(all.reader, redactor, chunks, maxBytes)
          assert.deepStrictEqual(decode(some.reader, redactor, chunks, maxBytes), expected)
          assert.deepStrictEqual(some.usages.at(-1), all.usages.at(-1))
          parsed += some.counts.parsed
          skipped += all.counts.parsed - some.counts.parsed
        }
      ),
      { numRuns: scaleRuns(20_000) }
    )
    assert.isAbove(skipped, parsed / 10)
  })

  it.each([
    ["LF", writers[0]!],
    ["CRLF", writers[1]!]
  ])("parses few events of an ordinary answer with %s", (_, write) => {
    const { counts, reader } = makeReader(false)
    const texts = Array.from({ length: 100 }, (_, index) => ` word${index}\n`)
    const bytes = new TextEncoder().encode(texts.map(write).join(""))
    const [[events]] = decode(reader, makeRedactor([secret]), [bytes], 1_000_000) as [
      [ReadonlyArray<ChatEvent>]
    ]
    assert.deepStrictEqual(
      events,
      texts.map((text) => ({
        type: "delta",
        choices: [{ index: 0, events: [{ type: "text", text }] }]
      }))
    )
    assert.isAtMost(counts.parsed, 2)
  })

  it("reads a comma that looks like the JSON between two texts", () => {
    const { reader } = makeReader(false)
    const bytes = new TextEncoder().encode([",", ",", ":", " sea"].map(writeTwoTexts).join(""))
    const [[events]] = decode(reader, makeRedactor([]), [bytes], 1_000_000) as [
      [ReadonlyArray<ChatEvent>]
    ]
    assert.deepStrictEqual(
      events.map((event) => event.type === "delta" && event.choices[0]?.events),
      [",", ",", ":", " sea"].map((text) => [{ type: "text" as const, text }])
    )
  })

  it("stops looking for events alike when there are none", () => {
    const { reader } = makeReader(false)
    let searches = 0
    const searched: EventReader<ChatEvent> = {
      ...reader,
      findText: (json) => {
        searches++
        return reader.findText?.(json)
      }
    }
    const events = Array.from({ length: 100 }, (_, index) => writers[8]!(` word${index}`))
    const bytes = new TextEncoder().encode(events.join(""))
    decode(searched, makeRedactor([]), [bytes], 1_000_000)
    assert.isAtMost(searches, 10)
  })
})
