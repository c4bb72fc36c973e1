import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { rangeFilters, textFilters } from "../../app/pages/requests/filterNames.ts"
import { pickFilters } from "../../app/pages/requests/filters.ts"
import { formatFilterText } from "../../app/pages/requests/formatFilterText.ts"
import { parseFilterText, writeNumber } from "../../app/pages/requests/parseFilterText.ts"

describe("the filter bar", () => {
  it.each([
    ["", {}],
    ["  ", {}],
    ["latency>2s", { min_latency: "2000.001" }],
    ["latency>=1.5s latency<90000", { min_latency: "1500", max_latency: "89999.999" }],
    ["cost>0.01", { min_cost: "0.010000001" }],
    ["cost>=0,005 latency>=1,5s", { min_cost: "0.005", min_latency: "1500" }],
    ["cost<=$2", { max_cost: "2" }],
    ["tokens>10k", { min_tokens: "10001" }],
    ["status:failed", { outcome: "failed" }],
    ["tag.customer:acme", { tag: "customer:acme" }],
    ["tag.customer:a:b", { tag: "customer:a:b" }],
    [
      'provider="North wind"  model:openai/gpt-5:free',
      { provider: "North wind", model: "openai/gpt-5:free" }
    ],
    [String.raw`user:"a \"b\" \\ c"`, { user: String.raw`a "b" \ c` }],
    ["user:>2", { user: ">2" }],
    ["user:__proto__", { user: "__proto__" }]
  ])("reads %j", (text, values) => {
    expect(parseFilterText(text)).toEqual({ values })
  })

  it.each([
    ["latencey>2s", "There is no filter latencey. Filters are status: model:"],
    ["__proto__:x", "There is no filter __proto__"],
    ["hello", "hello is no filter"],
    [":x", ":x is no filter"],
    ["model:", "has no value"],
    ['model:"a', "has no value"],
    ['model:"a"b', "has no value"],
    ["model>x", "model has no order; write model:x"],
    ["latency:2s", "latency has bounds; write latency>2s"],
    ["latency>soon", "such as latency>2s; its units are ms, s, m"],
    ["tokens>1,000", "tokens is compared with a number"],
    ["cost>1s", "such as cost>0.01; its units are $"],
    ["tag:acme", "tag.customer:acme"],
    ["model:a model:b", "model:b: a request has only one of these"],
    ["cost>1 cost>=2", "only one of these"],
    [String.raw`user:"\q"`, "no text in quotes"]
  ])("says what is wrong with %j", (text, problem) => {
    expect(parseFilterText(text).problem).toContain(problem)
  })

  it("reads any filters that it writes", () => {
    const bounds = Object.keys(rangeFilters).flatMap((name) => [`min_${name}`, `max_${name}`])
    const number = fc.oneof(
      fc.integer({ min: 0, max: 1e9 }),
      fc.double({ min: 0, max: 1e5, noNaN: true })
    )
    fc.assert(
      fc.property(
        fc.record(
          {
            ...Object.fromEntries(
              Object.values(textFilters).map((name) => [
                name,
                fc.string({ minLength: 1, unit: "binary" })
              ])
            ),
            ...Object.fromEntries(bounds.map((name) => [name, number.map(writeNumber)])),
            tag: fc
              .tuple(fc.stringMatching(/^[A-Za-z0-9_.-]{1,64}$/), fc.string({ minLength: 1 }))
              .map((parts) => parts.join(":"))
          },
          { requiredKeys: [] }
        ),
        (values) => {
          expect(parseFilterText(formatFilterText(values))).toEqual({ values })
          expect(pickFilters(values)).toEqual(values)
        }
      )
    )
  })

  it("reads any text without failing", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const { problem, values } = parseFilterText(text)
        expect(problem === undefined).toBe(values !== undefined)
      })
    )
  })
})
