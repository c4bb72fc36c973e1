import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { assembling } from "../../src/chat/Assembling.ts"
import type { ChatDelta } from "../../src/upstreams/ChatCapability.ts"

const of = (deltas: ReadonlyArray<ChatDelta>) => {
  const said = assembling()
  for (const delta of deltas) said.add([delta])
  return said
}

const piece = (delta: object, finishReason: string | null = null, index = 0): ChatDelta => ({
  index,
  delta: Object.fromEntries(Object.entries(delta)),
  finishReason
})

const call = (index: number, rest: object) => ({ tool_calls: [{ index, ...rest }] })

describe("assembling", () => {
  it("joins texts however they were cut", () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (texts) => {
        const said = of([...texts.map((content) => piece({ content })), piece({}, "stop")])
        const { finishReason, message } = said.choices()[0]!
        assert.strictEqual(message["content"] ?? "", texts.join(""))
        assert.strictEqual(finishReason, "stop")
        assert.strictEqual(said.pieces(), texts.length + 1)
        assert.strictEqual(said.characters(), texts.join("").length)
      })
    )
  })

  it("joins tool calls by their index", () => {
    const said = of([
      piece(call(0, { id: "x", type: "function", function: { name: "look", arguments: "" } })),
      piece(call(1, { id: "y", type: "function", function: { name: "see", arguments: "{" } })),
      piece(call(0, { function: { arguments: '{"a":' } })),
      piece(call(0, { function: { arguments: "1}" } })),
      piece(call(1, { function: { arguments: "}" } }), "tool_calls")
    ])
    assert.deepStrictEqual(said.choices(), [
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

  it("the name of a call was lost to the empty ones behind it", () => {
    const said = of([
      piece(call(0, { id: "x", type: "function", function: { name: "look", arguments: "{" } })),
      piece(call(0, { id: "", type: "", function: { name: "", arguments: "}" } }))
    ])
    assert.deepStrictEqual(said.choices()[0]!.message["tool_calls"], [
      { index: 0, id: "x", type: "function", function: { name: "look", arguments: "{}" } }
    ])
  })

  it("keeps choices apart, in their order", () => {
    const said = of([
      piece({ content: "b" }, null, 1),
      piece({ content: "a" }, "stop", 0),
      piece({ content: "c" }, "length", 1)
    ])
    assert.deepStrictEqual(said.choices(), [
      { index: 0, message: { role: "assistant", content: "a" }, finishReason: "stop" },
      { index: 1, message: { role: "assistant", content: "bc" }, finishReason: "length" }
    ])
  })

  it("takes any keys and values", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.dictionary(fc.constantFrom("content", "__proto__", "tool_calls", "x"), fc.jsonValue())
        ),
        (deltas) => {
          const said = of(deltas.map((delta) => piece(delta)))
          assert.strictEqual(said.choices().length, deltas.length === 0 ? 0 : 1)
          assert.doesNotThrow(() => JSON.stringify(said.choices()))
          assert.isUndefined(Reflect.get(Object.prototype, "x"))
        }
      )
    )
  })
})
