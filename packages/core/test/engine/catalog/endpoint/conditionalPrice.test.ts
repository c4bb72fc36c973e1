import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { scaleRuns } from "../../../../../../vitest.scope.ts"
import {
  computeCostAt,
  computeMaxCost
} from "../../../../src/engine/catalog/endpoint/computeCost.ts"
import * as Price from "../../../../src/engine/catalog/endpoint/Price.ts"
import {
  checkMagnitude,
  type PriceList
} from "../../../../src/engine/catalog/endpoint/PriceList.ts"
import {
  isApplicable,
  type PriceOverride
} from "../../../../src/engine/catalog/endpoint/PriceOverride.ts"
import * as NanoUsd from "../../../../src/values/usage/NanoUsd.ts"
import type { TokenUsage } from "../../../../src/values/usage/TokenUsage.ts"

const at = (text: string) => Date.parse(`${text}Z`)
const monday = at("2030-01-07T12:00")

const applies = (override: PriceOverride, promptTokens: number, time = monday) =>
  isApplicable(override, { promptTokens, at: time })

describe("the conditions of an override", () => {
  it("hold above min_prompt_tokens", () => {
    const long = { min_prompt_tokens: 200_000 }
    assert.deepStrictEqual(
      [0, 199_999, 200_000, 200_001].map((tokens) => applies(long, tokens)),
      [false, false, false, true]
    )
    assert.isTrue(applies({}, 0))
  })

  it.each([
    { window: [930, 1700], inside: ["09:30", "16:59"], outside: ["09:29", "17:00", "00:00"] },
    {
      window: [2200, 600],
      inside: ["22:00", "23:59", "00:00", "05:59"],
      outside: ["06:00", "21:59"]
    },
    { window: [2200, undefined], inside: ["22:00", "23:59"], outside: ["21:59", "00:00"] },
    { window: [undefined, 600], inside: ["00:00", "05:59"], outside: ["06:00", "23:59"] },
    { window: [0, 2400], inside: ["00:00", "23:59"], outside: [] },
    { window: [900, 900], inside: [], outside: ["08:59", "09:00"] }
  ])("hold in the window $window", ({ inside, outside, window: [utc_start, utc_end] }) => {
    const override = {
      ...(utc_start === undefined ? undefined : { utc_start }),
      ...(utc_end === undefined ? undefined : { utc_end })
    }
    for (const time of inside) assert.isTrue(applies(override, 1, at(`2030-01-07T${time}`)), time)
    for (const time of outside) assert.isFalse(applies(override, 1, at(`2030-01-07T${time}`)), time)
  })

  it("hold on the days in UTC", () => {
    const weekend = { utc_days: ["saturday", "sunday"] }
    assert.isFalse(applies(weekend, 1, at("2030-01-04T23:59")))
    assert.isTrue(applies(weekend, 1, at("2030-01-05T00:00")))
    assert.isTrue(applies(weekend, 1, at("2030-01-06T23:59")))
    assert.isFalse(applies(weekend, 1, at("2030-01-07T00:00")))
  })

  it("all have to hold", () => {
    const override = { min_prompt_tokens: 10, utc_days: ["monday"], utc_start: 1200 }
    assert.isTrue(applies(override, 11))
    assert.isFalse(applies(override, 10))
    assert.isFalse(applies(override, 11, at("2030-01-08T12:00")))
    assert.isFalse(applies(override, 11, at("2030-01-07T11:59")))
  })

  it.each([
    [{ min_prompt_tokens: "7" }, "has no number as min_prompt_tokens"],
    [{ utc_start: 1260 }, "has no time from 0 to 2400"],
    [{ utc_end: 2401 }, "has no time from 0 to 2400"],
    [{ utc_days: ["Monday"] }, "has no list of sunday"],
    [{ min_images: 3 }, "has an unknown field: min_images"],
    [7, "must be an object"],
    [{ prompt: "free" }, ".prompt must be a decimal string"]
  ])("are rejected where they are wrong: %j", (override, problem) => {
    const list = { prompt: "0", completion: "0", overrides: [override] } as PriceList
    assert.throws(() => Price.make(list), RangeError, "price.overrides.0")
    assert.throws(() => Price.make(list), RangeError, problem)
  })
})

const cost = (list: PriceList, usage: TokenUsage, time = monday) =>
  computeCostAt(Price.make(list), usage, time)

describe("a price with overrides", () => {
  const list: PriceList = {
    prompt: "3e-9",
    completion: "10e-9",
    input_cache_read: "1e-9",
    overrides: [
      { min_prompt_tokens: 100, prompt: "6e-9", input_cache_read: "2e-9" },
      { min_prompt_tokens: 1_000, prompt: "9e-9" },
      { utc_start: 0, utc_end: 600, completion: "5e-9" }
    ]
  }

  it("changes with the length of the prompt and with the time", () => {
    const usage = { outputTokens: 10, cachedTokens: 50 }
    const night = at("2030-01-07T03:00")
    assert.strictEqual(cost(list, { ...usage, inputTokens: 100 }), NanoUsd.make(150n + 50n + 100n))
    assert.strictEqual(cost(list, { ...usage, inputTokens: 101 }), NanoUsd.make(306n + 100n + 100n))
    // The last override that states a part sets it; the others keep theirs.
    assert.strictEqual(
      cost(list, { ...usage, inputTokens: 1_001 }),
      NanoUsd.make(951n * 9n + 100n + 100n)
    )
    assert.strictEqual(
      cost(list, { ...usage, inputTokens: 100 }, night),
      NanoUsd.make(150n + 50n + 50n)
    )
  })

  it("is that of the mean prompt of several requests", () => {
    const usage = { inputTokens: 300, outputTokens: 0 }
    assert.strictEqual(cost(list, { ...usage, requests: 3 }), NanoUsd.make(900n))
    assert.strictEqual(cost(list, { ...usage, requests: 2 }), NanoUsd.make(1_800n))
  })

  it("is reserved at the highest price of a prompt that may be so long", () => {
    for (const [inputTokens, most] of [
      [100, 300n + 10n],
      [101, 606n + 10n],
      [1_001, 9_009n + 10n]
    ] as const) {
      const reserved = computeMaxCost(Price.make(list), { inputTokens, outputTokens: 1 })
      assert.strictEqual(reserved, NanoUsd.make(most))
    }
  })

  it("is known if it is known under all conditions", () => {
    const plain = { prompt: "1e-9", completion: "1e-9" }
    assert.isTrue(Price.isKnown(Price.make({ ...plain, overrides: [{ prompt: "2e-9" }] })))
    const unknown = Price.make({ ...plain, overrides: [{ min_prompt_tokens: 5, prompt: "-1" }] })
    assert.isFalse(Price.isKnown(unknown))
    assert.isUndefined(computeMaxCost(unknown, { inputTokens: 6, outputTokens: 0 }))
    assert.isUndefined(computeCostAt(unknown, { inputTokens: 6, outputTokens: 0 }, monday))
  })

  it("is checked for prices per million", () => {
    assert.throws(
      () => checkMagnitude({ prompt: "0", overrides: [{}, { completion: "0.6" }] }),
      RangeError,
      "price.overrides.1.completion is 0.6 USD for one token"
    )
  })
})

describe("a discount", () => {
  it("is taken off every part, exactly", () => {
    const list = {
      prompt: "10e-9",
      completion: "20e-9",
      request: "1000e-9",
      discount: 0.15,
      overrides: [{ min_prompt_tokens: 100, prompt: "20e-9" }]
    }
    assert.strictEqual(
      cost(list, { inputTokens: 100, outputTokens: 10 }),
      NanoUsd.make(850n + 170n + 850n)
    )
    assert.strictEqual(
      cost(list, { inputTokens: 200, outputTokens: 10 }),
      NanoUsd.make(3_400n + 170n + 850n)
    )
    assert.deepStrictEqual(Price.toPriceList(Price.make(list)), {
      prompt: "0.0000000085",
      completion: "0.000000017",
      request: "0.00000085",
      image: "0",
      discount: 0.15,
      overrides: [{ min_prompt_tokens: 100, prompt: "0.000000017" }]
    })
  })

  it.each([-0.1, 1.1, Number.NaN])("of %d is rejected", (discount) => {
    assert.throws(() => Price.make({ discount }), RangeError, "price.discount must be a number")
  })
})

describe("tokens that a cache keeps for an hour", () => {
  const list = {
    prompt: "4e-9",
    completion: "0",
    input_cache_write: "5e-9",
    input_cache_write_1h: "8e-9"
  }
  const usage = {
    inputTokens: 100,
    outputTokens: 0,
    cacheWriteTokens: 30,
    cacheWrite1hTokens: 10
  }

  it("have a price of their own, by default that of other writes", () => {
    assert.strictEqual(cost(list, usage), NanoUsd.make(280n + 100n + 80n))
    const { input_cache_write_1h: _, ...plain } = list
    assert.strictEqual(cost(plain, usage), NanoUsd.make(280n + 150n))
    assert.strictEqual(cost({ prompt: "4e-9", completion: "0" }, usage), NanoUsd.make(400n))
  })

  it("are at most the tokens that are written", () => {
    assert.strictEqual(cost(list, { ...usage, cacheWrite1hTokens: 99 }), NanoUsd.make(280n + 240n))
  })
})

const parts = [
  "prompt",
  "completion",
  "audio",
  "input_cache_read",
  "input_cache_write",
  "input_cache_write_1h"
] as const

/** In pico-USD, so that sums have to be rounded. */
const pico = fc.nat(50_000)
const toUsd = (amount: number) => `${amount}e-12`
const partsOf = (names: ReadonlyArray<string>) =>
  fc
    .record(Object.fromEntries(names.map((name) => [name, pico])), { requiredKeys: [] })
    .map((amounts): Partial<Record<(typeof parts)[number], number>> => amounts)
const conditions = fc.record(
  {
    min_prompt_tokens: fc.nat(1_000),
    utc_days: fc.subarray(["monday", "tuesday", "sunday"]),
    utc_start: fc.constantFrom(0, 600, 1200, 2200),
    utc_end: fc.constantFrom(0, 559, 1201, 2400)
  },
  { requiredKeys: [] }
)
const priced = fc.record({
  base: fc
    .tuple(pico, pico, partsOf(parts.slice(2)))
    .map(([prompt, completion, others]) => ({ ...others, prompt, completion })),
  overrides: fc.array(fc.tuple(conditions, partsOf(parts)), { maxLength: 4 })
})
const time = fc.integer({ min: monday, max: monday + 7 * 86_400_000 })
const tokens = fc.nat(1_200)
/** Nothing, everything, or a share. */
const share = fc.oneof(fc.constantFrom(0, 1_200), tokens)
const shares = fc.record({
  cachedTokens: share,
  cacheWriteTokens: share,
  cacheWrite1hTokens: share,
  audioTokens: share
})

type Priced = typeof priced extends fc.Arbitrary<infer A> ? A : never
const toList = ({ base, overrides }: Priced): PriceList => ({
  ...mapUsd(base),
  overrides: overrides.map(([when, amounts]) => ({ ...when, ...mapUsd(amounts) }))
})
const mapUsd = (amounts: object): object =>
  Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, toUsd(amount)]))

describe("any price", () => {
  it("charges the exact sum, rounded up once", () => {
    fc.assert(
      fc.property(
        priced,
        tokens,
        tokens,
        shares,
        time,
        (price, inputTokens, outputTokens, of, now) => {
          const amounts: Partial<Record<(typeof parts)[number], number>> = { ...price.base }
          for (const [when, stated] of price.overrides) {
            if (isApplicable(when, { promptTokens: inputTokens, at: now })) {
              Object.assign(amounts, stated)
            }
          }
          const { completion = 0, prompt = 0 } = amounts
          const write = amounts.input_cache_write ?? prompt
          const read = Math.min(of.cachedTokens, inputTokens)
          const written = Math.min(of.cacheWriteTokens, inputTokens - read)
          const hour = Math.min(of.cacheWrite1hTokens, written)
          const heard = Math.min(of.audioTokens, inputTokens - read - written)
          const sum =
            read * (amounts.input_cache_read ?? prompt) +
            (written - hour) * write +
            hour * (amounts.input_cache_write_1h ?? write) +
            heard * (amounts.audio || prompt) +
            (inputTokens - read - written - heard) * prompt +
            outputTokens * completion
          assert.strictEqual(
            cost(toList(price), { inputTokens, outputTokens, ...of }, now),
            NanoUsd.make((BigInt(sum) + 999n) / 1_000n)
          )
        }
      ),
      { numRuns: scaleRuns(1_000) }
    )
  })

  it("never charges more than it reserves, for usage within the worst case", () => {
    fc.assert(
      fc.property(
        priced,
        fc.tuple(tokens, share, share),
        fc.tuple(share, share, fc.constantFrom(1, 1, 1, 3)),
        shares,
        time,
        (price, [mostIn, mostOut, mostAudio], [used, answered, requests], of, now) => {
          const worst = {
            inputTokens: mostIn,
            outputTokens: mostOut,
            audioTokens: mostAudio,
            requests
          }
          const usage = {
            ...of,
            inputTokens: Math.min(used, mostIn),
            outputTokens: Math.min(answered, mostOut),
            audioTokens: Math.min(of.audioTokens, mostAudio, mostIn),
            requests
          }
          const list = toList(price)
          const reserved = computeMaxCost(Price.make(list), worst)
          const charged = cost(list, usage, now)
          if (reserved === undefined || charged === undefined) throw new Error("a price is unknown")
          assert.isTrue(charged <= reserved, `${charged} of ${reserved}`)
        }
      ),
      { numRuns: scaleRuns(20_000) }
    )
  })

  it("is shown as it is charged", () => {
    fc.assert(
      fc.property(
        priced,
        tokens,
        shares,
        time,
        fc.constantFrom(0, 0.1, 0.25),
        (price, used, of, now, discount) => {
          const list = { ...toList(price), discount }
          const { discount: _, ...shown } = Price.toPriceList(Price.make(list))
          const usage = { ...of, inputTokens: used, outputTokens: used }
          assert.strictEqual(cost(shown, usage, now), cost(list, usage, now))
        }
      ),
      { numRuns: scaleRuns(300) }
    )
  })
})
