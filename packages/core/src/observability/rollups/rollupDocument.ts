/** Rollups as compact JSON: lists of numbers, because there are many of them. Pure. */
import * as Histogram from "../../values/Histogram.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import type { DimensionValue } from "./Dimension.ts"
import type { Measures } from "./Measures.ts"
import type { Rollup } from "./Rollup.ts"

/**
 * Counts and tokens in the order of `countFields`, both amounts in nano-USD, and both histograms as the first bucket
 * followed by the counts; an empty list is an empty histogram.
 */
type MeasuresDocument = readonly [
  counts: ReadonlyArray<number>,
  cost: AmountDocument,
  upstreamCost: AmountDocument,
  latency: ReadonlyArray<number>,
  firstEvent: ReadonlyArray<number>
]

/** Digits when a number would not be exact. */
type AmountDocument = number | string

type RollupDocument = readonly [
  values: ReadonlyArray<readonly [DimensionValue, ...MeasuresDocument]>,
  other?: MeasuresDocument
]

/** New fields are added at the end: an older document has none of them. */
const countFields = [
  "requests",
  "errors",
  "inputTokens",
  "outputTokens",
  "cachedTokens",
  "reasoningTokens",
  "byok",
  "unpriced"
] as const satisfies ReadonlyArray<keyof Measures>

export const encodeRollup = (rollup: Rollup): string => JSON.stringify(toRollupDocument(rollup))

export const decodeRollup = (document: string): Rollup => fromRollupDocument(JSON.parse(document))

const toRollupDocument = ({ other, values }: Rollup): RollupDocument => {
  const entries = Array.from(
    values,
    ([value, measures]) => [value, ...toMeasuresDocument(measures)] as const
  )
  return other === undefined ? [entries] : [entries, toMeasuresDocument(other)]
}

// By index in these functions: a query decodes thousands of values, and destructuring iterates.

const fromRollupDocument = (document: RollupDocument): Rollup => {
  const values = new Map<DimensionValue, Measures>()
  for (const entry of document[0]) {
    values.set(entry[0], toMeasures(entry[1], entry[2], entry[3], entry[4], entry[5]))
  }
  const other = document[1]
  return other === undefined
    ? { values }
    : { values, other: toMeasures(other[0], other[1], other[2], other[3], other[4]) }
}

const toMeasuresDocument = (measures: Measures): MeasuresDocument => {
  const counts: Array<number> = countFields.map((field) => measures[field])
  // Most counts are 0 in most buckets.
  while (counts.at(-1) === 0) counts.pop()
  return [
    counts,
    toAmountDocument(measures.cost),
    toAmountDocument(measures.upstreamCost),
    toHistogramDocument(measures.latency),
    toHistogramDocument(measures.firstEvent)
  ]
}

const toMeasures = (
  counts: MeasuresDocument[0],
  cost: AmountDocument,
  upstreamCost: AmountDocument,
  latency: ReadonlyArray<number>,
  firstEvent: ReadonlyArray<number>
): Measures => ({
  requests: counts[0] ?? 0,
  errors: counts[1] ?? 0,
  inputTokens: counts[2] ?? 0,
  outputTokens: counts[3] ?? 0,
  cachedTokens: counts[4] ?? 0,
  reasoningTokens: counts[5] ?? 0,
  byok: counts[6] ?? 0,
  unpriced: counts[7] ?? 0,
  cost: fromAmountDocument(cost),
  upstreamCost: fromAmountDocument(upstreamCost),
  latency: fromHistogramDocument(latency),
  firstEvent: fromHistogramDocument(firstEvent)
})

const toAmountDocument = (amount: NanoUsd.NanoUsd): AmountDocument =>
  amount <= Number.MAX_SAFE_INTEGER ? Number(amount) : String(amount)

const fromAmountDocument = (amount: AmountDocument): NanoUsd.NanoUsd =>
  amount === 0 ? NanoUsd.zero : NanoUsd.make(BigInt(amount))

const toHistogramDocument = ({
  count,
  counts,
  first
}: Histogram.Histogram): ReadonlyArray<number> => (count === 0 ? [] : [first, ...counts])

const fromHistogramDocument = (document: ReadonlyArray<number>): Histogram.Histogram => {
  const first = document[0]
  if (first === undefined) return Histogram.empty
  const counts = document.slice(1)
  let count = 0
  for (const each of counts) count += each
  return { count, first, counts }
}
