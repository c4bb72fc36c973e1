import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { type EmbeddingPartAnswer, joinParts } from "../../../src/domains/embeddings/joinParts.ts"
import { splitInputs } from "../../../src/domains/embeddings/makeEmbeddingWork.ts"
import * as NanoUsd from "../../../src/values/usage/NanoUsd.ts"

const inputs = fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 50 })
const most = fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined })

const toPart = (texts: ReadonlyArray<unknown>, place: number): EmbeddingPartAnswer => ({
  vectors: texts.map((text) => String(text)),
  dimensions: 3,
  usage: { inputTokens: texts.length * 10, outputTokens: 0 },
  isEstimated: place === 1,
  cost: NanoUsd.make(BigInt(texts.length)),
  id: `id-${place}`,
  model: `model-${place}`,
  tokenDetails: { text_tokens: texts.length, __proto__: 1 }
})

describe("parts of a request", () => {
  it("hold every input once, in order, and no more than the endpoint takes", () => {
    fc.assert(
      fc.property(inputs, most, fc.boolean(), (texts, maxInputs, isPerModel) => {
        const capability =
          maxInputs === undefined
            ? {}
            : { maxInputs: isPerModel ? (model: string) => Number(model) * maxInputs : maxInputs }
        const parts = splitInputs(texts, capability, "1")
        assert.deepStrictEqual<unknown>(parts.flat(), texts)
        assert.isTrue(parts.every(({ length }) => length >= 1 && length <= (maxInputs ?? Infinity)))
        assert.isTrue(parts.slice(0, -1).every(({ length }) => length === maxInputs))
      })
    )
  })

  it("are joined to the answer of the whole, whose usage and cost are their sums", () => {
    fc.assert(
      fc.property(inputs, fc.integer({ min: 1, max: 60 }), (texts, maxInputs) => {
        const parts = splitInputs(texts, { maxInputs }, "a")
        const [first, ...others] = parts.map(toPart)
        const joined = Result.getOrThrow(joinParts(first!, others))
        assert.deepStrictEqual(joined.vectors, texts)
        assert.strictEqual(joined.usage.inputTokens, texts.length * 10)
        assert.strictEqual(joined.usage.requests ?? 1, parts.length)
        assert.strictEqual(joined.cost, NanoUsd.make(BigInt(texts.length)))
        assert.strictEqual(joined.isEstimated, parts.length > 1)
        assert.strictEqual(joined.id, "id-0")
        assert.strictEqual(joined.model, `model-${parts.length - 1}`)
        assert.strictEqual(joined.tokenDetails?.["text_tokens"], texts.length)
      })
    )
  })

  it("are refused together when their vectors have different lengths", () => {
    const [one, other] = [toPart(["a"], 0), toPart(["b"], 1)]
    assert.isTrue(Result.isFailure(joinParts(one, [{ ...other, dimensions: 4 }])))
  })

  it("have no cost together unless each has one", () => {
    const [one, { cost: _, tokenDetails: __, ...other }] = [toPart(["a"], 0), toPart(["b"], 1)]
    const joined = Result.getOrThrow(joinParts(one, [other]))
    assert.isUndefined(joined.cost)
    assert.isUndefined(joined.tokenDetails)
  })
})
