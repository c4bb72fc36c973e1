import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { makeChatAccumulator } from "../../../src/chat/stream/ChatAccumulator.ts"
import type { ChatDelta } from "../../../src/upstreams/ChatCapability.ts"
import { growth, linear } from "../../growth.ts"

const of = (deltas: ReadonlyArray<ChatDelta>, kept = Infinity) => {
  const accumulator = makeChatAccumulator(kept)
  for (const delta of deltas) accumulator.add([delta])
  return accumulator
}

const piece = (delta: object, finishReason: string | null = null, index = 0): ChatDelta => ({
  index,
  delta: Object.fromEntries(Object.entries(delta)),
  finishReason
})

const call = (index: number, rest: object) => ({ tool_calls: [{ index, ...rest }] })

describe("ChatAccumulator", () => {
  it("concatenates texts, however they are split", () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (texts) => {
        const accumulator = of([...texts.map((content) => piece({ content })), piece({}, "stop")])
        const { finishReason, message } = accumulator.choices()[0]!
        assert.strictEqual(message["content"] ?? "", texts.join(""))
        assert.strictEqual(finishReason, "stop")
        assert.strictEqual(accumulator.pieces(), texts.length + 1)
        assert.strictEqual(accumulator.characters(), texts.join("").length)
      })
    )
  })

  it("merges tool calls by their index", () => {
    const accumulator = of([
      piece(call(0, { id: "x", type: "function", function: { name: "look", arguments: "" } })),
      piece(call(1, { id: "y", type: "function", function: { name: "see", arguments: "{" } })),
      piece(call(0, { function: { arguments: '{"a":' } })),
      piece(call(0, { function: { arguments: "1}" } })),
      piece(call(1, { function: { arguments: "}" } }), "tool_calls")
    ])
    assert.deepStrictEqual(accumulator.choices(), [
      {
        index: 0,
        message: {
          role: "assistant",
          tool_calls: [
            {
              index: 0,
              id: "x",
              type: "function",
              function: { name: "look", arguments: '{"a":1}' }
            },
            { index: 1, id: "y", type: "function", function: { name: "see", arguments: "{}" } }
          ]
        },
        finishReason: "tool_calls"
      }
    ])
  })

  it("keeps the name of a call when later parts have an empty one", () => {
    const accumulator = of([
      piece(call(0, { id: "x", type: "function", function: { name: "look", arguments: "{" } })),
      piece(call(0, { id: "", type: "", function: { name: "", arguments: "}" } }))
    ])
    assert.deepStrictEqual(accumulator.choices()[0]!.message["tool_calls"], [
      { index: 0, id: "x", type: "function", function: { name: "look", arguments: "{}" } }
    ])
  })

  it("keeps choices apart and in order", () => {
    const accumulator = of([
      piece({ content: "b" }, null, 1),
      piece({ content: "a" }, "stop", 0),
      piece({ content: "c" }, "length", 1)
    ])
    assert.deepStrictEqual(accumulator.choices(), [
      { index: 0, message: { role: "assistant", content: "a" }, finishReason: "stop" },
      { index: 1, message: { role: "assistant", content: "bc" }, finishReason: "length" }
    ])
  })

  it("accepts any keys and values", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.dictionary(fc.constantFrom("content", "__proto__", "tool_calls", "x"), fc.jsonValue())
        ),
        (deltas) => {
          const accumulator = of(deltas.map((delta) => piece(delta)))
          assert.strictEqual(accumulator.choices().length, deltas.length === 0 ? 0 : 1)
          assert.doesNotThrow(() => JSON.stringify(accumulator.choices()))
          assert.isUndefined(Reflect.get(Object.prototype, "x"))
        }
      )
    )
  })

  it.each<readonly [string, (i: number) => ChatDelta]>([
    ["calls", (i) => piece(call(i, { id: `call_${i}`, function: { arguments: "{}" } }))],
    ["names", (i) => piece({ x: { [`name ${i}`]: "y" } })],
    ["pieces of one text", () => piece({ content: "word " })],
    ["details of its reasoning", (i) => piece({ reasoning_details: [{ index: i, text: "so" }] })],
    ["items without an index", (i) => piece({ annotations: [{ url: `https://${i}.example` }] })],
    ["choices", (i) => piece({ content: "y" }, "stop", i)]
  ])("takes linear time for an answer of many %s", (_, nth) => {
    const ratio = growth(10_000, (size) => {
      const accumulator = makeChatAccumulator(Infinity)
      for (let i = 0; i < size; i++) accumulator.add([nth(i)])
      accumulator.choices()
    })
    assert.isBelow(ratio, linear)
  })

  it("appends list items without an index", () => {
    const items = ["a", "b"].map((url) => ({ type: "url_citation", url }))
    const accumulator = of(items.map((item) => piece({ annotations: [item] })))
    assert.deepStrictEqual(accumulator.choices()[0]!.message["annotations"], items)
  })

  it("keeps no content by default", () => {
    const accumulator = of([piece({ content: "x" }), piece({ content: "y" }, "stop")], 0)
    assert.deepStrictEqual(accumulator.choices(), [
      { index: 0, message: { role: "assistant" }, finishReason: "stop" }
    ])
    assert.strictEqual(accumulator.characters(), 2)
  })

  it("keeps the beginning of a long answer, and reports that it is truncated", () => {
    const words = Array.from({ length: 1_000 }, (_, i) => piece({ content: `${i} ` }))
    const accumulator = of([...words, piece({}, "stop")], 200)
    const { finishReason, message } = accumulator.choices()[0]!
    const kept = String(message["content"])
    const whole = words.map(({ delta }) => delta["content"]).join("")
    assert.isTrue(whole.startsWith(kept) && kept.length > 0 && kept.length < 200)
    assert.strictEqual(finishReason, "stop")
    assert.isTrue(accumulator.isTruncated())
    assert.isFalse(of(words).isTruncated())
  })
})
