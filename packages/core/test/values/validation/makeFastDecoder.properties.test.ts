import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import { ChatRequest } from "../../../src/domains/chat/request/ChatRequest.ts"
import { DecisionRequest } from "../../../src/domains/decisions/Decision.ts"
import { makeFastDecoder } from "../../../src/values/validation/makeFastDecoder.ts"

/** Schemas whose decoding drops keys, depends on the order of members, or transforms. */
const schemas = {
  request: DecisionRequest,
  chat: ChatRequest,
  "first member drops a key": Schema.Union([
    Schema.Struct({ model: Schema.String }),
    Schema.Struct({ model: Schema.String, user: Schema.String })
  ]),
  "one of": Schema.Union([Schema.String, Schema.NonEmptyString], { mode: "oneOf" }),
  transformed: Schema.Struct({ model: Schema.String, state: Schema.NumberFromString }),
  tuple: Schema.Tuple([Schema.String, Schema.optionalKey(Schema.Finite)]),
  list: Schema.TupleWithRest(Schema.Tuple([Schema.String]), [Schema.Finite, Schema.Null]),
  empty: Schema.Struct({})
} as const

const text = fc.constantFrom("", "a", "choice", "noul", "score", "constructor", "__proto__")
const keys =
  "model state questions type instructions criteria provider user messages role content trace zdr sort order __proto__ constructor".split(
    " "
  )
const key = fc.nat(keys.length - 1).map((at) => keys[at]!)
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { depthSize: "small" },
    text,
    fc.constantFrom(null, true, 0, 1.5, -1),
    fc.array(tie("json"), { maxLength: 3 }),
    fc
      .array(fc.tuple(key, tie("json")), { maxLength: 4 })
      .map((entries) => Object.fromEntries(entries))
  )
}))
const question = fc.oneof(
  fc.record({ type: fc.constant("noul"), instructions: json }),
  fc.record({ type: text, instructions: text, criteria: json })
)
const request = fc.record(
  {
    model: fc.oneof(text, json),
    state: json,
    questions: fc.dictionary(text, question, { maxKeys: 3 }),
    provider: fc.oneof(fc.constant({ zdr: true }), fc.constant({ sort: "price" }), json),
    trace: json,
    user: text,
    messages: fc.array(fc.record({ role: text, content: json }), { maxLength: 3 })
  },
  { requiredKeys: [] }
)

/** What JSON text can hold. */
const toParsed = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

describe("makeFastDecoder", () => {
  for (const [name, schema] of Object.entries(schemas)) {
    const decode = Schema.decodeUnknownResult(schema as typeof DecisionRequest)
    const decodeFast = makeFastDecoder(schema as typeof DecisionRequest)

    it(`decodes like the schema: ${name}`, () => {
      fc.assert(
        fc.property(fc.oneof(request, json), (value) => {
          const input = toParsed(value)
          const before = JSON.stringify(input)
          const [slow, fast] = [decode(input), decodeFast(input)]
          assert.strictEqual(Result.isSuccess(fast), Result.isSuccess(slow))
          if (Result.isSuccess(fast) && Result.isSuccess(slow)) {
            assert.deepStrictEqual(fast.success, slow.success)
          }
          assert.strictEqual(JSON.stringify(input), before)
        }),
        { numRuns: 1_000 }
      )
    })
  }

  it("returns valid input itself", () => {
    const input = {
      model: "a/b",
      state: { text: "x" },
      questions: {
        one: { type: "noul", instructions: "?" },
        two: { type: "choice", instructions: ["?"], criteria: { a: null, b: "c" } },
        three: { type: "score", instructions: "?", criteria: ["low", "high"] }
      },
      provider: { order: ["a"], max_price: { prompt: 1 } },
      trace: { trace_id: "t", other: [1] }
    }
    const decoded = makeFastDecoder(DecisionRequest)(input)
    assert.isTrue(Result.isSuccess(decoded) && (decoded.success as unknown) === input)
  })
})
