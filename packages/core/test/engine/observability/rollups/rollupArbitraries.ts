/** Any measures and rollups, for properties of what is made of them. */
import { identity } from "effect/Function"
import * as FastCheck from "fast-check"
import type { DimensionValue } from "../../../../src/values/Dimension.ts"
import type * as Measures from "../../../../src/engine/observability/rollups/Measures.ts"
import type * as Rollup from "../../../../src/engine/observability/rollups/Rollup.ts"
import * as Histogram from "../../../../src/values/Histogram.ts"
import * as NanoUsd from "../../../../src/values/usage/NanoUsd.ts"

const count = FastCheck.nat({ max: 1_000_000 })
const amount = FastCheck.bigInt({ min: 0n, max: 2n ** 62n }).map(NanoUsd.make)
const histogram = FastCheck.array(FastCheck.double({ min: 0, max: 700_000, noNaN: true }), {
  maxLength: 5
}).map((values) => Histogram.addAll(Histogram.empty, values, identity))

export const measures: FastCheck.Arbitrary<Measures.Measures> = FastCheck.record(
  {
    requests: count,
    errors: count,
    byok: count,
    unpriced: count,
    inputTokens: count,
    outputTokens: count,
    cachedTokens: count,
    reasoningTokens: count,
    characters: count,
    audioMillis: count,
    outputImages: count,
    cost: amount,
    upstreamCost: amount,
    cacheHits: count,
    cacheMisses: count,
    saved: amount,
    latency: histogram,
    firstEvent: histogram
  },
  { noNullPrototype: true }
)

const value: FastCheck.Arbitrary<DimensionValue> = FastCheck.oneof(
  FastCheck.constant(null),
  FastCheck.constantFrom("a", "b", "c", "__proto__", "other", ""),
  FastCheck.string({ unit: "grapheme", maxLength: 3 })
)

export const rollup: FastCheck.Arbitrary<Rollup.Rollup> = FastCheck.record(
  {
    values: FastCheck.array(FastCheck.tuple(value, measures), { maxLength: 6 }).map(
      (entries) => new Map(entries)
    ),
    other: measures
  },
  { requiredKeys: ["values"], noNullPrototype: true }
)
