import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { scaleRuns } from "../../../../vitest.scope.ts"
import { AnswerCollector } from "../../src/conversation/AnswerCollector.ts"
import type { AnswerEvent } from "../../src/conversation/Answer.ts"
import type { Part } from "../../src/conversation/Part.ts"
import { growth, linear } from "../growth.ts"

const collect = (events: ReadonlyArray<AnswerEvent>): ReadonlyArray<Part> => {
  const collector = new AnswerCollector()
  for (const event of events) collector.add(event)
  return collector.toParts()
}

const said = fc.string({ minLength: 1, maxLength: 20 })
const signature = fc.record({ format: fc.constant("google-gemini-v1"), value: said })
const citation = fc.record({ url: fc.webUrl(), title: said }, { requiredKeys: ["url"] })

/** One part; its id is given when the parts are put together. */
const part: fc.Arbitrary<Part> = fc.oneof(
  fc.record(
    {
      type: fc.constant("text" as const),
      text: said,
      citations: fc.array(citation, { minLength: 1, maxLength: 3 }),
      signature
    },
    { requiredKeys: ["type", "text"] }
  ),
  fc.record({ type: fc.constant("refusal" as const), refusal: said }),
  fc.record(
    {
      type: fc.constant("reasoning" as const),
      format: fc.constantFrom("openai-responses-v1", "unknown"),
      text: said,
      isSummary: fc.constant(true as const),
      signature: said,
      id: fc.uuid()
    },
    { requiredKeys: ["type", "format", "text"] }
  ),
  fc.record(
    {
      type: fc.constant("reasoning" as const),
      format: fc.constantFrom("openai-responses-v1", "unknown"),
      encrypted: said,
      id: fc.uuid()
    },
    { requiredKeys: ["type", "format", "encrypted"] }
  ),
  fc.record(
    {
      type: fc.constant("call" as const),
      id: fc.uuid(),
      name: said,
      arguments: fc.string(),
      isCustom: fc.constant(true as const),
      namespace: said,
      signature
    },
    { requiredKeys: ["type", "id", "name", "arguments"] }
  ),
  fc.record({
    type: fc.constant("image" as const),
    source: fc.record({ type: fc.constant("url" as const), url: fc.webUrl() })
  }),
  fc.record(
    {
      type: fc.constant("opaque" as const),
      dialect: fc.constant("gemini" as const),
      raw: fc.dictionary(said, said),
      text: said
    },
    { requiredKeys: ["type", "dialect", "raw"] }
  )
)

/** Texts in a row are one, and so are refusals. */
const parts = fc
  .array(part, { maxLength: 6 })
  .map((all) =>
    all.filter(
      ({ type }, at) => (type !== "text" && type !== "refusal") || all[at - 1]?.type !== type
    )
  )

const cut = (text: string, sizes: ReadonlyArray<number>): ReadonlyArray<string> => {
  const pieces: Array<string> = []
  let rest = text
  for (const size of sizes) {
    if (rest.length <= size) break
    pieces.push(rest.slice(0, size))
    rest = rest.slice(size)
  }
  return [...pieces, rest]
}

/** The events of a part whose texts come in pieces of these sizes. */
const toEvents = (each: Part, at: number, sizes: ReadonlyArray<number>): Array<AnswerEvent> => {
  switch (each.type) {
    case "text":
      return [
        ...cut(each.text, sizes).map((text) => ({ type: "text", text }) as const),
        ...(each.citations ?? []).map((cited) => ({ type: "citation", citation: cited }) as const),
        ...(each.signature === undefined
          ? []
          : [{ type: "signature", signature: each.signature } as const])
      ]
    case "refusal":
      return cut(each.refusal, sizes).map((refusal) => ({ type: "refusal", refusal }))
    case "reasoning": {
      const { encrypted, format, id, isSummary = false, signature: proof, text = "" } = each
      const common = { key: `${at}`, format, ...(id === undefined ? {} : { id }) }
      if (encrypted !== undefined) {
        return cut(encrypted, sizes).map((data) => ({
          type: "encrypted",
          ...common,
          encrypted: data
        }))
      }
      const thought = { type: "thought", ...common, isSummary } as const
      return [
        ...cut(text, sizes).map((piece) => ({ ...thought, text: piece })),
        ...(proof === undefined ? [] : [{ ...thought, text: "", signature: proof }])
      ]
    }
    case "call": {
      const { arguments: written, id, isCustom = false, name, namespace, signature: proof } = each
      const call = { id, name, isCustom, namespace }
      return [
        ...cut(written, sizes).map((text) => ({ type: "call", call, text }) as const),
        ...(proof === undefined
          ? []
          : [{ type: "signature", signature: proof, callId: id } as const])
      ]
    }
    case "image":
      return [{ type: "media", media: each }]
    case "opaque":
      return [each]
    case "audio":
    case "file":
    case "result":
    case "video":
      throw new Error(`no events for ${each.type}`)
  }
}

const sizesOf = fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 8 })

describe("AnswerCollector", () => {
  it("puts the same parts together however an answer is split", () => {
    fc.assert(
      fc.property(parts, sizesOf, (answer, sizes) => {
        const events = answer.flatMap((each, at) => toEvents(each, at, sizes))
        assert.deepStrictEqual(collect(events), answer)
      }),
      { numRuns: scaleRuns(1_000) }
    )
  })

  it("keeps calls apart whose arguments come by turns", () => {
    const [first, second] = ["a", "b"].map((id) => ({ id, name: "f", isCustom: false }))
    const say = (call: typeof first, text: string) => ({ type: "call", call: call!, text }) as const
    assert.deepStrictEqual(
      collect([say(first, ""), say(second, "{"), say(first, "{}"), say(second, "}")]),
      ["a", "b"].map((id) => ({ type: "call", id, name: "f", arguments: "{}" }))
    )
  })

  it("signs a call that begins after its signature", () => {
    const signed = { format: "google-gemini-v1", value: "YQ==" }
    const call = { id: "c", name: "f", isCustom: false }
    assert.deepStrictEqual(
      collect([
        { type: "signature", signature: signed, callId: "c" },
        { type: "call", call, text: "{}" }
      ]),
      [{ type: "call", id: "c", name: "f", arguments: "{}", signature: signed }]
    )
  })

  it("returns what was said so far, which later events do not change", () => {
    const collector = new AnswerCollector()
    collector.add({ type: "text", text: "a" })
    const before = collector.toParts()
    collector.add({ type: "text", text: "b" })
    assert.deepStrictEqual(before, [{ type: "text", text: "a" }])
    assert.deepStrictEqual(collector.toParts(), [{ type: "text", text: "ab" }])
  })

  it("takes time in proportion to the number of events", () => {
    const call = { id: "c", name: "f", isCustom: false }
    const ratio = growth(2_000, (size) => {
      const collector = new AnswerCollector()
      for (let at = 0; at < size; at++) {
        collector.add({ type: "text", text: "abc" })
        collector.add({ type: "call", call, text: "abc" })
        collector.add({
          type: "thought",
          key: "t",
          format: "unknown",
          text: "abc",
          isSummary: false
        })
        collector.add({ type: "citation", citation: { url: "https://a.test" } })
      }
      assert.isNotEmpty(collector.toParts())
    })
    assert.isBelow(ratio, linear)
  })
})
