import { describe, expect, it } from "vitest"
import { makeNativeEventWriter } from "../../../src/domains/responses/makeNativeEventWriter.ts"
import { growth, linear } from "../../growth.ts"

type Json = Readonly<Record<string, unknown>>

const facts = { id: "resp_1", model: "acme/wise", created: 0, request: {}, tools: [] }

/** The output of an answer that breaks off after these events. */
const cutOff = (...events: ReadonlyArray<Json>) => {
  const writer = makeNativeEventWriter(facts)
  writer.write({ type: "delta", choices: [], native: events })
  const last = writer.fail({ status: 502, message: "It broke off." }).at(-1)
  const response = last?.["response"] as { readonly output: unknown } | undefined
  return response?.output
}

const open = (output_index: number, item: Json = {}): Json => ({
  type: "response.output_item.added",
  output_index,
  item: { type: "message", id: `msg_${output_index}`, role: "assistant", content: [], ...item }
})

const say = (output_index: number, content_index: number, delta: string): Json => ({
  type: "response.output_text.delta",
  output_index,
  content_index,
  delta
})

describe("the output of a provider's answer that broke off", () => {
  it("has only the items that were opened, with any indices", () => {
    const far = Number.MAX_SAFE_INTEGER
    expect(cutOff(open(far), say(far, 0, "B"), open(2), say(2, 0, "A"))).toMatchObject([
      { id: "msg_2", content: [{ text: "A" }] },
      { id: `msg_${far}`, content: [{ text: "B" }] }
    ])
  })

  it("ignores events whose names every object has", () => {
    const names = ["constructor", "toString", "__proto__"]
    const events = names.map((type) => ({ type, output_index: 0, delta: "x" }))
    expect(cutOff(open(0), ...events)).toEqual([
      { type: "message", id: "msg_0", role: "assistant", content: [], status: "incomplete" }
    ])
  })

  it("takes no longer for each part the more there are", () => {
    const ratio = growth(2_000, (size) => {
      const parts = Array.from({ length: size }, (_, index) => say(0, index, "x"))
      expect(cutOff(open(0), ...parts)).toHaveLength(1)
    })
    expect(ratio).toBeLessThan(linear)
  })
})
