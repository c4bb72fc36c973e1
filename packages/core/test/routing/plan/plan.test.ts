import { assert, describe, it } from "vitest"
import type { Preferences } from "../../../src/routing/Preferences.ts"
import {
  type Contender,
  type Strategy,
  type StrategyInput,
  priceWeighted
} from "../../../src/routing/plan/strategies/strategies.ts"
import { makeCandidate, makePricedCandidate } from "../makeCandidate.ts"
import { ab, ac, makePlan, toTags } from "./makePlan.ts"
import { downReport, makeSnapshot } from "../makeReport.ts"

const orderOf = (...args: Parameters<typeof makePlan>) => toTags(makePlan(...args).ordered)

const rejectionsOf = (...args: Parameters<typeof makePlan>) =>
  makePlan(...args).rejected.map(({ candidate, reasons }) => [
    candidate.endpoint.tag,
    ...reasons.map(({ rule }) => rule)
  ])

const [dear, cheap, middle, unknown] = [
  makePricedCandidate("dear", 9),
  makePricedCandidate("cheap", 1),
  makePricedCandidate("middle", 5),
  makePricedCandidate("unknown", undefined)
]
const all = [dear, unknown, cheap, middle]

const usd = (usd: number) => ({ prompt: String(usd), completion: String(usd) })
const other = (provider: string, price: number) =>
  makeCandidate({ provider, of: "a/c", price: usd(price) })

const requirements = (inputTokens: number, outputTokens: number) => ({
  requirements: { parameters: [], inputTokens, outputTokens }
})

const outages = (...tags: ReadonlyArray<string>) => ({
  health: makeSnapshot(Object.fromEntries(tags.map((tag) => [tag, downReport])))
})

describe("plan", () => {
  it("is empty for no candidates", () => {
    assert.deepStrictEqual(makePlan([]), {
      ordered: [],
      demoted: [],
      rejected: [],
      strategy: "cheapest"
    })
  })

  it.each([
    [
      "throws",
      () => {
        throw new Error("a bug of the host")
      }
    ],
    [
      "returns a copy of a contender",
      <A extends Contender>({ contenders }: StrategyInput<A>) => ({ ...contenders[1]! })
    ],
    // Types alone do not guarantee this.
    ["chooses no contender", (() => undefined) as unknown as Strategy["first"]]
  ])("ignores a strategy that %s", (_, first) => {
    const all = [
      makePricedCandidate("a", 2),
      makePricedCandidate("b", 1),
      makePricedCandidate("c", 3)
    ]
    const made = makePlan(all, {}, { strategy: { name: "own", first } })
    assert.deepStrictEqual(toTags(made.ordered), ["b", "a", "c"])
    assert.strictEqual(made.strategy, "own (broken)")
    assert.instanceOf(made.strategyDefect, Error)
    const sorted = makePlan(all, { sort: "price" }, { strategy: { name: "own", first } })
    assert.isUndefined(sorted.strategyDefect)
  })

  it("puts the strategy's choice first, then the rest by price, unknown prices last", () => {
    assert.deepStrictEqual(orderOf(all), ["cheap", "middle", "dear", "unknown"])
    const dearest: Strategy = { name: "dearest", first: ({ contenders }) => contenders.at(-2)! }
    assert.deepStrictEqual(orderOf(all, {}, { strategy: dearest }), [
      "dear",
      "cheap",
      "middle",
      "unknown"
    ])
  })

  it("ranks by the cost of the request, not by a single price", () => {
    const talkative = makeCandidate({
      provider: "talkative",
      price: { prompt: "0.000001", completion: "0.0001" }
    })
    const reader = makeCandidate({
      provider: "reader",
      price: { prompt: "0.00001", completion: "0.00001" }
    })
    const flat = makeCandidate({
      provider: "flat",
      price: { prompt: "0", completion: "0", request: "1" }
    })
    const three = [talkative, reader, flat]
    assert.deepStrictEqual(orderOf(three, {}, requirements(1_000, 0)), [
      "talkative",
      "reader",
      "flat"
    ])
    assert.deepStrictEqual(orderOf(three, {}, requirements(1_000, 1_000)), [
      "reader",
      "talkative",
      "flat"
    ])
    assert.deepStrictEqual(orderOf(three, {}, requirements(10_000_000, 100)), [
      "flat",
      "talkative",
      "reader"
    ])
    assert.deepStrictEqual(
      orderOf(
        [makeCandidate({ provider: "half", price: { prompt: "0.1" } }), dear],
        {},
        requirements(1, 1)
      ),
      ["dear", "half"]
    )
  })

  it("moves endpoints with an outage behind the others, and removes none", () => {
    assert.deepStrictEqual(orderOf(all, {}, outages("cheap", "unknown")), [
      "middle",
      "dear",
      "cheap",
      "unknown"
    ])
    assert.deepStrictEqual(orderOf(all, {}, outages("cheap", "middle", "dear", "unknown")), [
      "cheap",
      "middle",
      "dear",
      "unknown"
    ])
    // The preferences of the request take precedence.
    assert.deepStrictEqual(orderOf(all, { order: ["cheap"] }, outages("cheap"))[0], "cheap")
    assert.deepStrictEqual(orderOf(all, { sort: "price" }, outages("cheap"))[0], "cheap")
  })

  it("puts the endpoints of `order` first, in that order, then the rest by price", () => {
    const order = ["dear", "unlisted", "middle", "dear"]
    assert.deepStrictEqual(orderOf(all, { order }), ["dear", "middle", "cheap", "unknown"])
    assert.strictEqual(makePlan(all, { order, sort: "price" }).strategy, "order")
    assert.deepStrictEqual(orderOf(all, { order: [] }), orderOf(all))
    assert.deepStrictEqual(orderOf(all, { order: ["unlisted"] }), orderOf(all, { sort: "price" }))
  })

  it("puts the variants of a base slug in `order` side by side, cheapest first", () => {
    const regions = [
      makeCandidate({ provider: "v", variant: "us", price: usd(3) }),
      makeCandidate({ provider: "w", price: usd(1) }),
      makeCandidate({ provider: "v", variant: "eu", price: usd(2) }),
      makeCandidate({ provider: "v", variant: "flex", price: usd(0) })
    ]
    assert.deepStrictEqual(orderOf(regions, { order: ["v"] }), ["v/eu", "v/us", "w"])
    assert.deepStrictEqual(orderOf(regions, { order: ["v/flex", "v/us"] }), [
      "v/flex",
      "v/us",
      "w",
      "v/eu"
    ])
  })

  it("sorts by price without a draw on request", () => {
    for (const sort of ["price", { by: "price" }] as const) {
      for (let seed = 0; seed < 20; seed++) {
        const { ordered, strategy } = makePlan(all, { sort }, { seed, strategy: priceWeighted })
        assert.deepStrictEqual(
          ordered.map(({ endpoint }) => endpoint.tag),
          ["cheap", "middle", "dear", "unknown"]
        )
        assert.strictEqual(strategy, "sort:price")
      }
    }
    for (const sort of [null, {}, { by: null }] as const) {
      assert.strictEqual(makePlan(all, { sort }).strategy, "cheapest")
    }
  })

  it("keeps only the best endpoint, or the listed ones, when fallbacks are off", () => {
    assert.deepStrictEqual(orderOf(all, { allow_fallbacks: false }), ["cheap"])
    assert.deepStrictEqual(orderOf(all, { allow_fallbacks: false, order: [] }), ["cheap"])
    const listed = { allow_fallbacks: false, order: ["dear", "middle"] }
    assert.deepStrictEqual(orderOf(all, listed), ["dear", "middle"])
    assert.deepStrictEqual(orderOf(all, { allow_fallbacks: false, order: ["unlisted"] }), [])
    assert.deepStrictEqual(rejectionsOf(all, listed), [
      ["unknown", "allow_fallbacks"],
      ["cheap", "allow_fallbacks"]
    ])
    const wanted = (preferences: Preferences) =>
      makePlan(all, { allow_fallbacks: false, ...preferences }).rejected[0]?.reasons[0]?.wanted
    assert.strictEqual(wanted({}), "the best endpoint only")
    assert.strictEqual(wanted({ order: null }), "the best endpoint only")
    assert.strictEqual(wanted({ order: [] }), "the best endpoint only")
    assert.strictEqual(wanted({ order: ["dear", "middle"] }), "one of dear, middle")
  })

  it("keeps the endpoints of each model together, in the order of the models", () => {
    const both = [other("free", 0), dear, other("rich", 1), cheap]
    const models = { models: [{ id: ab }, { id: ac }] } as const
    assert.deepStrictEqual(orderOf(both, {}, models), ["cheap", "dear", "free", "rich"])
    assert.deepStrictEqual(orderOf(both, {}, { models: [{ id: ac }, { id: ab }] }), [
      "free",
      "rich",
      "cheap",
      "dear"
    ])
    assert.deepStrictEqual(orderOf(both, { sort: { by: "price", partition: "none" } }, models), [
      "free",
      "cheap",
      "dear",
      "rich"
    ])
    for (const partition of ["model", null] as const) {
      assert.deepStrictEqual(orderOf(both, { sort: { by: "price", partition } }, models), [
        "cheap",
        "dear",
        "free",
        "rich"
      ])
    }
    assert.deepStrictEqual(orderOf(both, { order: ["rich"] }, models), [
      "cheap",
      "dear",
      "rich",
      "free"
    ])
    assert.deepStrictEqual(orderOf(both, { allow_fallbacks: false }, models), ["cheap"])
  })

  it("tries an endpoint once when a model is named twice", () => {
    assert.deepStrictEqual(
      orderOf([dear, cheap], {}, { models: [{ id: ab }, { id: ac }, { id: ab }] }),
      ["cheap", "dear"]
    )
  })

  it("keeps pinned work at its candidate", () => {
    const pin = { pin: "a/b@dear" }
    assert.deepStrictEqual(orderOf(all, {}, pin), ["dear"])
    assert.deepStrictEqual(makePlan(all, {}, pin).rejected[1]?.reasons, [
      { rule: "pin", source: "request", wanted: "a/b@dear", found: "a/b@cheap" }
    ])
    // Rules apply to the pinned endpoint too.
    assert.deepStrictEqual(orderOf(all, { ignore: ["dear"] }, pin), [])
    assert.deepStrictEqual(rejectionsOf(all, { ignore: ["dear"] }, pin), [
      ["dear", "ignore"],
      ["unknown", "pin"],
      ["cheap", "pin"],
      ["middle", "pin"]
    ])
  })
})
