/** Rollups as compact JSON: lists of numbers, because there are many of them. Pure. */
import * as Histogram from "../../values/Histogram.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import { type Dimension, dimensions, type DimensionValue } from "./Dimension.ts"
import type { Measures } from "./Measures.ts"
import type { Rollup } from "./Rollup.ts"
import type { RollupDelta } from "./RollupDelta.ts"

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

type DeltaDocument = ReadonlyArray<
  readonly [minute: number, rollups: ReadonlyArray<readonly [Dimension, RollupDocument]>]
>

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

export const encodeDelta = (delta: RollupDelta): string => {
  const document: DeltaDocument = Array.from(delta, ([minute, rollups]) => [
    minute,
    Array.from(rollups, ([dimension, rollup]) => [dimension, toRollupDocument(rollup)])
  ])
  return JSON.stringify(document)
}

/** Dimensions that this version does not know are left out. */
export const decodeDelta = (document: string): RollupDelta => {
  const minutes: DeltaDocument = JSON.parse(document)
  return new Map(
    minutes.map(([minute, rollups]) => [
      minute,
      new Map(
        rollups
          .filter(([dimension]) => dimensions.includes(dimension))
          .map(([dimension, rollup]) => [dimension, fromRollupDocument(rollup)])
      )
    ])
  )
}

/** The rollups of one dimension in a delta, without decoding the others. */
export const decodeDeltaDimension = (
  document: string,
  dimension: Dimension
): ReadonlyArray<readonly [minute: number, rollup: Rollup]> => {
  const minutes: DeltaDocument = JSON.parse(document)
  return minutes.flatMap(([minute, rollups]) =>
    rollups
      .filter(([name]) => name === dimension)
      .map(([, rollup]) => [minute, fromRollupDocument(rollup)] as const)
  )
}

const toRollupDocument = ({ other, values }: Rollup): RollupDocument => {
  const entries = Array.from(
    values,
    ([value, measures]) => [value, ...toMeasuresDocument(measures)] as const
  )
  return other === undefined ? [entries] : [entries, toMeasuresDocument(other)]
}

const fromRollupDocument = ([entries, other]: RollupDocument): Rollup => {
  const values = new Map(
    entries.map(([value, ...measures]) => [value, fromMeasuresDocument(measures)])
  )
  return other === undefined ? { values } : { values, other: fromMeasuresDocument(other) }
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

const fromMeasuresDocument = ([
  counts,
  cost,
  upstreamCost,
  latency,
  firstEvent
]: MeasuresDocument): Measures => {
  const [
    requests = 0,
    errors = 0,
    inputTokens = 0,
    outputTokens = 0,
    cachedTokens = 0,
    reasoningTokens = 0,
    byok = 0,
    unpriced = 0
  ] = counts
  return {
    requests,
    errors,
    byok,
    unpriced,
    inputTokens,
    outputTokens,
    cachedTokens,
    reasoningTokens,
    cost: fromAmountDocument(cost),
    upstreamCost: fromAmountDocument(upstreamCost),
    latency: fromHistogramDocument(latency),
    firstEvent: fromHistogramDocument(firstEvent)
  }
}

const toAmountDocument = (amount: NanoUsd.NanoUsd): AmountDocument =>
  amount <= Number.MAX_SAFE_INTEGER ? Number(amount) : String(amount)

const fromAmountDocument = (amount: AmountDocument): NanoUsd.NanoUsd => NanoUsd.make(BigInt(amount))

const toHistogramDocument = ({
  count,
  counts,
  first
}: Histogram.Histogram): ReadonlyArray<number> => (count === 0 ? [] : [first, ...counts])

const fromHistogramDocument = ([first, ...counts]: ReadonlyArray<number>): Histogram.Histogram => {
  if (first === undefined) return Histogram.empty
  let count = 0
  for (const each of counts) count += each
  return { count, first, counts }
}
