import { assert, describe, it } from "vitest"
import fc from "fast-check"
import { scaleRuns } from "../../../../../vitest.scope.ts"
import type { Exclusion } from "../../../src/routing/Reason.ts"
import type { RejectedCandidate } from "../../../src/routing/Reason.ts"
import {
  countFilters,
  findSmallestRelaxation
} from "../../../src/routing/plan/findSmallestRelaxation.ts"
import { makePricedCandidate } from "../makeCandidate.ts"
import { makePlan } from "./makePlan.ts"

/** `rule source wanted`, as many as the candidate fails. */
const rejected = (
  ...reasons: ReadonlyArray<readonly [Exclusion, string, string]>
): RejectedCandidate => ({
  candidate: makePricedCandidate("one", 1),
  reasons: reasons.map(([rule, source, wanted], index) => ({
    rule,
    source,
    wanted,
    found: `found ${index}`
  }))
})

const zdr = ["zdr", "request", "zero data retention"] as const
const accountZdr = ["zdr", "account", "zero data retention"] as const
const only = ["only", "request", "one of x"] as const
const ignore = ["ignore", "account", "none of y"] as const
const prompt = ["max_price", "request", "<= 1 USD per million prompt tokens"] as const
const completion = ["max_price", "request", "<= 1 USD per million completion tokens"] as const

const filter = ([rule, source, wanted]: readonly [Exclusion, string, string]) => ({
  rule,
  source,
  wanted
})

describe("countFilters", () => {
  it("counts the candidates that each filter rejected, alone or not, in descending order", () => {
    assert.deepStrictEqual(
      countFilters([rejected(only), rejected(zdr, only), rejected(zdr, ignore), rejected(zdr)]),
      [
        { ...filter(zdr), removed: 3 },
        { ...filter(only), removed: 2 },
        { ...filter(ignore), removed: 1 }
      ]
    )
    assert.deepStrictEqual(countFilters([]), [])
  })

  it("separates the sources of a rule, and the parts of one rule", () => {
    assert.deepStrictEqual(
      countFilters([rejected(zdr, accountZdr), rejected(prompt), rejected(prompt, completion)]).map(
        ({ removed, source, wanted }) => `${removed} ${source} ${wanted}`
      ),
      [
        "2 request <= 1 USD per million prompt tokens",
        "1 request zero data retention",
        "1 account zero data retention",
        "1 request <= 1 USD per million completion tokens"
      ]
    )
  })

  it("counts a candidate once for a filter it fails twice", () => {
    assert.deepStrictEqual(countFilters([rejected(zdr, zdr)]), [{ ...filter(zdr), removed: 1 }])
  })
})

describe("findSmallestRelaxation", () => {
  it("is the smallest set of filters without which a candidate could serve", () => {
    assert.deepStrictEqual(
      findSmallestRelaxation([rejected(zdr, only), rejected(ignore), rejected(prompt, completion)]),
      [filter(ignore)]
    )
    assert.deepStrictEqual(
      findSmallestRelaxation([rejected(zdr, only, prompt), rejected(zdr, only)]),
      [filter(zdr), filter(only)]
    )
    assert.deepStrictEqual(findSmallestRelaxation([]), [])
  })

  it("prefers filters of the request among equally small sets", () => {
    for (const list of [
      [rejected(ignore), rejected(zdr)],
      [rejected(zdr), rejected(ignore)]
    ]) {
      assert.deepStrictEqual(findSmallestRelaxation(list), [filter(zdr)])
    }
    assert.deepStrictEqual(
      findSmallestRelaxation([
        rejected(zdr, ignore),
        rejected(accountZdr, ignore),
        rejected(zdr, only)
      ]),
      [filter(zdr), filter(only)]
    )
  })

  it("allows a candidate when the request drops the filters it set", () => {
    const kept = fc.subarray(["zdr", "distillable", "quantization", "parameters", "price"] as const)
    const relaxed = {
      zdr: "zdr",
      distillable: "enforce_distillable_text",
      quantization: "quantizations",
      require_parameters: "require_parameters",
      max_price: "max_price"
    } as const
    fc.assert(
      fc.property(kept, (kept) => {
        const preferences = {
          ...(kept.includes("zdr") ? { zdr: true } : undefined),
          ...(kept.includes("distillable") ? { enforce_distillable_text: true } : undefined),
          ...(kept.includes("quantization") ? { quantizations: ["int4" as const] } : undefined),
          ...(kept.includes("parameters") ? { require_parameters: true } : undefined),
          ...(kept.includes("price") ? { max_price: { prompt: "0", completion: "0" } } : undefined)
        }
        const request = { requirements: { parameters: ["tools"], inputTokens: 1, outputTokens: 1 } }
        const { ordered, rejected } = makePlan(
          [makePricedCandidate("one", 1)],
          preferences,
          request
        )
        assert.strictEqual(ordered.length === 0, kept.length > 0)
        const rest = Object.fromEntries(
          Object.entries(preferences).filter(([name]) =>
            findSmallestRelaxation(rejected).every(
              ({ rule }) => relaxed[rule as keyof typeof relaxed] !== name
            )
          )
        )
        assert.lengthOf(makePlan([makePricedCandidate("one", 1)], rest, request).ordered, 1)
      }),
      { numRuns: scaleRuns(1_000) }
    )
  })
})
