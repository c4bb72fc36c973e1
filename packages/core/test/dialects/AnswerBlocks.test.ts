import { constVoid } from "effect/Function"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { scaleRuns } from "../../../../vitest.scope.ts"
import { AnswerCollector } from "../../src/conversation/AnswerCollector.ts"
import type { AnswerEvent, StreamedCall } from "../../src/conversation/Answer.ts"
import type { Part } from "../../src/conversation/Part.ts"
import type { AnswerBlock, BlockRules } from "../../src/dialects/AnswerBlock.ts"
import { AnswerBlocks } from "../../src/dialects/AnswerBlocks.ts"
import { growth, linear } from "../growth.ts"
import { BlockJoiner } from "./BlockJoiner.ts"

type Calls = BlockRules["calls"]
const policies: ReadonlyArray<Calls> = ["inTurn", "together", "whole"]

const collect = (events: ReadonlyArray<AnswerEvent>): ReadonlyArray<Part> => {
  const collector = new AnswerCollector()
  for (const event of events) collector.add(event)
  return collector.toParts()
}

const join = (calls: Calls, events: ReadonlyArray<AnswerEvent>): ReadonlyArray<Part> => {
  const joiner = new BlockJoiner(calls)
  const blocks = new AnswerBlocks(joiner)
  for (const event of events) blocks.add(event)
  blocks.end()
  return joiner.toParts()
}

const ask = (call: StreamedCall, text: string): AnswerEvent => ({ type: "call", call, text })

const makeCall = (id: string): StreamedCall => ({ id, name: "f", isCustom: false })

const name = (block: AnswerBlock): string =>
  block.type === "call" ? block.call.id : "encrypted" in block ? block.key : block.type

/** What happens to blocks, in words. */
const tell = (
  rules: Pick<BlockRules, "calls" | "holds" | "joins">,
  events: ReadonlyArray<AnswerEvent>
): ReadonlyArray<string> => {
  const told: Array<string> = []
  const blocks = new AnswerBlocks({
    ...rules,
    begin: (block) => told.push(`begin ${name(block)}`),
    extend: (block, text) => told.push(`${name(block)}: ${text}`),
    end: (block) =>
      told.push(`end ${name(block)}${"encrypted" in block ? ` ${block.encrypted}` : ""}`),
    add: ({ type }) => told.push(type)
  })
  for (const event of events) blocks.add(event)
  blocks.end()
  return told
}

const said = fc.string({ minLength: 1, maxLength: 5 })
const signature = fc.record({ format: fc.constant("google-gemini-v1"), value: said })
const url = fc.webUrl()
const key = fc.constantFrom("a", "b", "c")
const format = fc.constantFrom("openai-responses-v1", "unknown")

const text: fc.Arbitrary<ReadonlyArray<AnswerEvent>> = fc
  .tuple(said, fc.option(url), fc.option(signature))
  .map(([text, cited, signed]) => [
    { type: "text", text },
    ...(cited === null ? [] : [{ type: "citation", citation: { url: cited } } as const]),
    ...(signed === null ? [] : [{ type: "signature", signature: signed } as const])
  ])

const thought: fc.Arbitrary<AnswerEvent> = fc.record(
  {
    type: fc.constant("thought" as const),
    key,
    format,
    text: fc.string({ maxLength: 5 }),
    isSummary: fc.boolean(),
    signature: said,
    id: said
  },
  { requiredKeys: ["type", "key", "format", "text", "isSummary"] }
)

const single: fc.Arbitrary<AnswerEvent> = fc.oneof(
  thought,
  fc.record({ type: fc.constant("refusal" as const), refusal: said }),
  fc.record({ type: fc.constant("encrypted" as const), key, format, encrypted: said }),
  url.map((each): AnswerEvent => ({
    type: "media",
    media: { type: "image", source: { type: "url", url: each } }
  })),
  fc.record({
    type: fc.constant("opaque" as const),
    dialect: fc.constant("gemini" as const),
    raw: said
  })
)

/** The events of a call. Those of JSON are not whole before the last one. */
const call: fc.Arbitrary<ReadonlyArray<AnswerEvent>> = fc
  .tuple(
    fc.uuid(),
    fc.boolean(),
    fc.array(fc.constantFrom("1,", "[],", '"}",')),
    fc.option(signature)
  )
  .map(([id, isCustom, pieces, signed]) => {
    const call = { id, name: "f", isCustom }
    const texts = isCustom ? ["free"] : ['{"a":[', ...pieces, "0]}"]
    const [first, ...rest] = texts.map((piece): AnswerEvent => ({
      type: "call",
      call,
      text: piece
    }))
    const proof: ReadonlyArray<AnswerEvent> =
      signed === null ? [] : [{ type: "signature", signature: signed, callId: id }]
    return [...proof, ...(first === undefined ? [] : [first]), ...rest]
  })

/** Calls come by turns, among everything else. */
const answers: fc.Arbitrary<ReadonlyArray<AnswerEvent>> = fc
  .tuple(
    fc.array(call, { maxLength: 4 }),
    fc.array(
      fc.oneof(
        text,
        single.map((event) => [event]),
        fc.nat({ max: 3 })
      ),
      { maxLength: 20 }
    )
  )
  .map(([calls, steps]) => {
    const rest = calls.map((events) => [...events])
    const events = steps.flatMap((step) => {
      if (typeof step !== "number") return step
      const next = rest[step]?.shift()
      return next === undefined ? [] : [next]
    })
    return [...events, ...rest.flat()]
  })

describe.each(policies)("the blocks of an answer with calls %s", (calls) => {
  it("begin once, end once, and are what AnswerCollector puts together", () => {
    fc.assert(
      fc.property(answers, (events) => {
        assert.deepStrictEqual(join(calls, events), collect(events))
      }),
      { numRuns: scaleRuns(2_000) }
    )
  })

  it("take time in proportion to the number of events", () => {
    const [one, other] = [makeCall("a"), makeCall("b")]
    const ratio = growth(1_000, (size) => {
      let begun = 0
      const blocks = new AnswerBlocks({
        calls,
        begin: () => void begun++,
        extend: constVoid,
        end: constVoid,
        add: constVoid
      })
      for (const call of [one, other]) blocks.add({ type: "call", call, text: "[" })
      for (let at = 0; at < size; at++) {
        for (const call of [other, one]) blocks.add({ type: "call", call, text: "0," })
        blocks.add({ type: "text", text: "." })
        blocks.add({
          type: "thought",
          key: `${at}`,
          format: "unknown",
          text: "?",
          isSummary: false
        })
        blocks.add({ type: "call", call: makeCall(`c${at}`), text: "{}" })
      }
      blocks.end()
      assert.strictEqual(begun, 3 * size + 2)
    })
    assert.isBelow(ratio, linear)
  })
})

describe("AnswerBlocks", () => {
  const [first, second, third] = [makeCall("a"), makeCall("b"), makeCall("c")]
  const signed = { format: "google-gemini-v1", value: "YQ==" }

  it("says refusals and texts of opaque parts as texts where a format has no place for them", () => {
    assert.deepStrictEqual(
      tell({ calls: "together" }, [
        { type: "text", text: "I" },
        { type: "refusal", refusal: " cannot" },
        { type: "opaque", dialect: "gemini", raw: {} },
        { type: "opaque", dialect: "gemini", raw: {}, text: "." }
      ]),
      ["begin text", "text: I", "text:  cannot", "text: .", "end text"]
    )
  })

  it("says signatures as encrypted thoughts where texts and calls do not hold them", () => {
    assert.deepStrictEqual(
      tell({ calls: "together" }, [
        { type: "text", text: "Hi" },
        { type: "signature", signature: signed },
        { type: "signature", signature: signed, callId: "a" }
      ]),
      [
        "begin text",
        "text: Hi",
        "end text",
        "begin signature 0",
        "end signature 0 YQ==",
        "begin signature 1",
        "end signature 1 YQ=="
      ]
    )
  })

  it("returns a signature without a text as an empty one", () => {
    assert.deepStrictEqual(
      tell({ calls: "together", holds: () => true }, [{ type: "signature", signature: signed }]),
      ["begin text", "end text"]
    )
  })

  it("leaves a text open while more of earlier calls comes", () => {
    assert.deepStrictEqual(
      tell({ calls: "together" }, [
        ask(first, "{"),
        { type: "text", text: "Hi" },
        ask(first, "}"),
        { type: "text", text: "!" }
      ]),
      ["begin a", "a: {", "begin text", "text: Hi", "a: }", "text: !", "end text", "end a"]
    )
  })

  it("keeps calls in turns apart whose arguments come by turns", () => {
    assert.deepStrictEqual(
      tell({ calls: "inTurn" }, [
        ask(first, "{"),
        ask(second, "{"),
        { type: "text", text: "Hi" },
        ask(second, "}"),
        ask(first, "}")
      ]),
      [
        "begin a",
        "a: {",
        "a: }",
        "end a",
        "begin b",
        "b: {}",
        "end b",
        "begin text",
        "text: Hi",
        "end text"
      ]
    )
  })

  it("ends the calls that are whole when something else comes, in their order", () => {
    assert.deepStrictEqual(
      tell({ calls: "whole" }, [
        ask(first, "{}"),
        ask(second, "{"),
        ask(third, "{}"),
        { type: "text", text: "Hi" },
        ask(first, "{}")
      ]),
      [
        "begin a",
        "a: {}",
        "begin b",
        "b: {",
        "begin c",
        "c: {}",
        "end a",
        "begin text",
        "text: Hi",
        "end text",
        "end b",
        "end c"
      ]
    )
  })

  it("joins to a thought what is encrypted of it where a format wants that", () => {
    const thought = { key: "t", format: "unknown" }
    assert.deepStrictEqual(
      tell({ calls: "inTurn", joins: () => true }, [
        { type: "thought", ...thought, text: "Hm", isSummary: false },
        { type: "encrypted", ...thought, key: "e", encrypted: "xy" },
        { type: "encrypted", ...thought, key: "e", encrypted: "z" }
      ]),
      ["begin t", "t: Hm", "end t xyz"]
    )
  })
})
