import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { ChatAccumulator } from "../../../../src/domains/chat/stream/ChatAccumulator.ts"
import type { AnswerEvent, StreamedCall } from "../../../../src/conversation/Answer.ts"
import { makeChatDeltaReader } from "../../../../src/dialects/chat/makeChatDeltaReader.ts"
import { ChatEventReader } from "../../../../src/dialects/chat/readEvents.ts"
import type { ChatDelta } from "../../../../src/engine/upstreams/ChatCapability.ts"
import { growth, linear } from "../../../growth.ts"

const of = (deltas: ReadonlyArray<ChatDelta>, kept = Infinity) => {
  const accumulator = new ChatAccumulator(kept)
  for (const delta of deltas) accumulator.add([delta])
  return accumulator
}

const piece = (
  events: ReadonlyArray<AnswerEvent>,
  reason: string | null = null,
  index = 0
): ChatDelta => ({ index, events, ...(reason === null ? undefined : { end: { reason } }) })

const text = (said: string): ReadonlyArray<AnswerEvent> =>
  said === "" ? [] : [{ type: "text", text: said }]

const makeCall = (id: string, name: string): StreamedCall => ({ id, name, isCustom: false })

const say = (call: StreamedCall, said = ""): ReadonlyArray<AnswerEvent> => [
  { type: "call", call, text: said }
]

const longCall = makeCall("x", "look")

const think = (key: string): AnswerEvent => ({
  type: "thought",
  key,
  format: "unknown",
  text: "so",
  isSummary: false
})

const cite = (url: string): AnswerEvent => ({ type: "citation", citation: { url } })

const sign = (i: number): AnswerEvent => ({
  type: "signature",
  callId: `call_${i}`,
  signature: { format: "google-gemini-v1", value: "s" }
})

describe("ChatAccumulator", () => {
  it("concatenates texts, however they are split", () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (texts) => {
        const accumulator = of([...texts.map((content) => piece(text(content))), piece([], "stop")])
        const whole = texts.join("")
        assert.deepStrictEqual(accumulator.choices()[0]!.answer, {
          parts: whole === "" ? [] : [{ type: "text", text: whole }],
          end: { reason: "stop" }
        })
        assert.strictEqual(accumulator.pieces(), texts.length + 1)
        assert.strictEqual(accumulator.characters(), whole.length)
      })
    )
  })

  it("joins the pieces of each call, however they are mixed", () => {
    const [look, see] = [makeCall("x", "look"), makeCall("y", "see")]
    const accumulator = of([
      piece(say(look)),
      piece(say(see, "{")),
      piece(say(look, '{"a":')),
      piece(say(look, "1}")),
      piece(say(see, "}"), "tool_calls")
    ])
    assert.deepStrictEqual(accumulator.choices(), [
      {
        index: 0,
        answer: {
          parts: [
            { type: "call", id: "x", name: "look", arguments: '{"a":1}' },
            { type: "call", id: "y", name: "see", arguments: "{}" }
          ],
          end: { reason: "tool_calls" }
        }
      }
    ])
  })

  it("keeps the name of a call when later parts have an empty one", () => {
    const reader = new ChatEventReader()
    const accumulator = new ChatAccumulator(Infinity)
    for (const call of [
      { index: 0, id: "x", type: "function", function: { name: "look", arguments: "{" } },
      { index: 0, id: "", type: "", function: { name: "", arguments: "}" } }
    ]) {
      const event = reader.read({ choices: [{ delta: { tool_calls: [call] } }] })
      if (event === undefined || !("type" in event) || event.type !== "delta") assert.fail()
      accumulator.add(event.choices)
    }
    assert.deepStrictEqual(accumulator.choices()[0]!.answer.parts, [
      { type: "call", id: "x", name: "look", arguments: "{}" }
    ])
  })

  it("keeps choices apart and in order", () => {
    const accumulator = of([
      piece(text("b"), null, 1),
      piece(text("a"), "stop", 0),
      piece(text("c"), "length", 1)
    ])
    assert.deepStrictEqual(accumulator.choices(), [
      { index: 0, answer: { parts: [{ type: "text", text: "a" }], end: { reason: "stop" } } },
      { index: 1, answer: { parts: [{ type: "text", text: "bc" }], end: { reason: "length" } } }
    ])
  })

  it("accepts any keys and values", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.dictionary(fc.constantFrom("content", "__proto__", "tool_calls", "x"), fc.jsonValue())
        ),
        (deltas) => {
          const read = makeChatDeltaReader()
          const accumulator = of(deltas.map((delta) => piece(read(delta))))
          assert.strictEqual(accumulator.choices().length, deltas.length === 0 ? 0 : 1)
          assert.doesNotThrow(() => JSON.stringify(accumulator.choices()))
          assert.isUndefined(Reflect.get(Object.prototype, "x"))
        }
      )
    )
  })

  it.each<readonly [string, (i: number) => ChatDelta]>([
    ["calls", (i) => piece(say(makeCall(`call_${i}`, "look"), "{}"))],
    ["pieces of one call", () => piece(say(longCall, "word "))],
    ["pieces of one text", () => piece(text("word "))],
    ["pieces of one thought", () => piece([think("0")])],
    ["thoughts", (i) => piece([think(String(i))])],
    ["signed calls", (i) => piece([...say(makeCall(`call_${i}`, "look"), "{}"), sign(i)])],
    ["citations", (i) => piece([cite(`https://${i}.example`)])],
    ["choices", (i) => piece(text("y"), "stop", i)]
  ])("takes linear time for an answer of many %s", (_, nth) => {
    const ratio = growth(1_000, (size) => {
      const accumulator = new ChatAccumulator(Infinity)
      for (let i = 0; i < size; i++) accumulator.add([nth(i)])
      accumulator.choices()
    })
    assert.isBelow(ratio, linear)
  })

  it("keeps every citation of a text", () => {
    const accumulator = of([piece(text("So.")), piece([cite("a")]), piece([cite("b")])])
    assert.deepStrictEqual(accumulator.choices()[0]!.answer.parts, [
      { type: "text", text: "So.", citations: [{ url: "a" }, { url: "b" }] }
    ])
  })

  it("keeps no content by default", () => {
    const accumulator = of([piece(text("x")), piece(text("y"), "stop")], 0)
    assert.deepStrictEqual(accumulator.choices(), [
      { index: 0, answer: { parts: [], end: { reason: "stop" } } }
    ])
    assert.strictEqual(accumulator.characters(), 2)
  })

  it("keeps the beginning of a long answer, and reports that it is truncated", () => {
    const said = Array.from({ length: 1_000 }, (_, i) => `${i} `)
    const words = said.map((each) => piece(text(each)))
    const accumulator = of([...words, piece([], "stop")], 200)
    const { end, parts } = accumulator.choices()[0]!.answer
    const kept = parts.map((part) => (part.type === "text" ? part.text : "")).join("")
    const whole = said.join("")
    assert.isTrue(whole.startsWith(kept) && kept.length > 0 && kept.length < 200)
    assert.strictEqual(end.reason, "stop")
    assert.isTrue(accumulator.isTruncated())
    assert.isFalse(of(words).isTruncated())
  })
})
