import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { scaleRuns } from "../../../../../vitest.scope.ts"
import type { AnswerEvent, StreamedCall } from "../../../src/conversation/Answer.ts"
import { ChatDeltaWriter } from "../../../src/dialects/chat/writeEvents.ts"
import { makeChatDeltaReader } from "../../../src/dialects/chat/makeChatDeltaReader.ts"

const said = fc.string({ minLength: 1, maxLength: 12 })
const format = fc.constantFrom("anthropic-claude-v1", "openai-responses-v1")
const calls: ReadonlyArray<StreamedCall> = [
  { id: "c0", name: "f", namespace: undefined, isCustom: false },
  { id: "c1", name: "g", namespace: "box", isCustom: false },
  { id: "c2", name: "sh", namespace: undefined, isCustom: true }
]

/** What chat can say. Thoughts have details, whose index is their key; without, they say no more than a text. */
const event: fc.Arbitrary<AnswerEvent> = fc.oneof(
  fc.record({ type: fc.constant("text" as const), text: said }),
  fc.record({ type: fc.constant("refusal" as const), refusal: said }),
  fc.record(
    {
      type: fc.constant("thought" as const),
      key: fc.constantFrom("a", "b"),
      format,
      text: said,
      isSummary: fc.boolean(),
      id: said
    },
    { requiredKeys: ["type", "key", "format", "text", "isSummary"] }
  ),
  fc.record({
    type: fc.constant("thought" as const),
    key: fc.constantFrom("a", "b"),
    format,
    text: fc.oneof(said, fc.constant("")),
    isSummary: fc.constant(false),
    signature: said
  }),
  fc.record(
    {
      type: fc.constant("encrypted" as const),
      key: fc.constantFrom("a", "b"),
      format,
      encrypted: said,
      id: said
    },
    { requiredKeys: ["type", "key", "format", "encrypted"] }
  ),
  fc.record({
    type: fc.constant("call" as const),
    call: fc.constantFrom(...calls),
    text: fc.constantFrom("", "{", "[1,", "x")
  }),
  fc.record(
    {
      type: fc.constant("signature" as const),
      signature: fc.record({ format: fc.constant("google-gemini-v1"), value: said }),
      callId: said
    },
    { requiredKeys: ["type", "signature"] }
  ),
  fc.record({
    type: fc.constant("media" as const),
    media: fc.record({
      type: fc.constant("image" as const),
      source: fc.record({ type: fc.constant("url" as const), url: fc.webUrl() })
    })
  }),
  fc.record({
    type: fc.constant("citation" as const),
    citation: fc.record(
      { url: fc.webUrl(), title: said, start: fc.nat() },
      { requiredKeys: ["url"] }
    )
  }),
  fc.record({
    type: fc.constant("opaque" as const),
    dialect: fc.constant("chat" as const),
    raw: fc.record({ audio: fc.record({ data: said }) })
  })
)

/** The same events, with keys in the order of their first use and calls that are equal. */
const normalize = (events: ReadonlyArray<AnswerEvent>): ReadonlyArray<unknown> => {
  const keys = new Map<string, number>()
  return events.map((each) => {
    if (each.type !== "thought" && each.type !== "encrypted") return each
    const key = `${each.type} ${each.key}`
    if (!keys.has(key)) keys.set(key, keys.size)
    return { ...each, key: keys.get(key) }
  })
}

describe("ChatDeltaWriter", () => {
  it("writes deltas that say the same events when they are read", () => {
    fc.assert(
      fc.property(fc.array(event), (events) => {
        const writer = new ChatDeltaWriter()
        const read = makeChatDeltaReader()
        const deltas = events.map((each) => writer.write([each]))
        assert.deepStrictEqual(normalize(deltas.flatMap(read)), normalize(events))
      }),
      { numRuns: scaleRuns(1_000) }
    )
  })

  it("writes the fields of a provider that speaks chat where it had them", () => {
    const raw = { audio: { data: "AA" } }
    assert.deepStrictEqual(
      new ChatDeltaWriter().write([
        { type: "text", text: "a" },
        { type: "opaque", dialect: "chat", raw }
      ]),
      { ...raw, content: "a" }
    )
  })

  it("leaves out what other providers say to callers of their own API alone", () => {
    const raw = { type: "web_search_call" }
    const write = (dialect: "gemini" | "messages" | "responses") =>
      new ChatDeltaWriter().write([{ type: "opaque", dialect, raw }])
    assert.deepStrictEqual(write("gemini"), { provider_parts: [raw] })
    assert.deepStrictEqual(write("messages"), {})
    assert.deepStrictEqual(write("responses"), {})
  })
})
