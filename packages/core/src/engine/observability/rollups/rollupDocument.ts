/** Rollups as compact JSON: all numbers of a rollup in one list, because a query decodes thousands of values. Pure. */
import * as Histogram from "../../../values/Histogram.ts"
import * as NanoUsd from "../../../values/usage/NanoUsd.ts"
import type { DimensionValue } from "../../../values/Dimension.ts"
import type { Measures } from "./Measures.ts"
import type { Rollup } from "./Rollup.ts"

/**
 * The values, then the numbers of each value, then the numbers of `other` if it is not empty. Lists with more of each follow:
 * characters and milliseconds of audio; images; hits, misses and savings by the cache of responses. One is absent if it and all
 * after it are 0, and earlier versions ignore those that they do not know.
 */
type RollupDocument = readonly [
  version: 1,
  values: ReadonlyArray<DimensionValue>,
  numbers: ReadonlyArray<NumberDocument>,
  ...more: ReadonlyArray<ReadonlyArray<NumberDocument>>
]

/** An amount is digits when a number would not be exact. */
type NumberDocument = number | string

/** Writes a whole rollup. */
export const encodeRollup = ({ other, values }: Rollup): string => {
  const numbers: Array<NumberDocument> = []
  const units: Array<NumberDocument> = []
  const images: Array<NumberDocument> = []
  const cacheUse: Array<NumberDocument> = []
  const all = other === undefined ? [...values.values()] : [...values.values(), other]
  for (const measures of all) {
    writeMeasures(numbers, measures)
    units.push(measures.characters, measures.audioMillis)
    images.push(measures.outputImages)
    const { cacheHits, cacheMisses, saved } = measures
    cacheUse.push(cacheHits, cacheMisses, toAmountDocument(saved))
  }
  const more = [units, images, cacheUse].map((list) => (list.some(isAny) ? list : []))
  // Most rollups are of tokens alone.
  const kept = more.slice(0, more.findLastIndex((list) => list.length > 0) + 1)
  const document: RollupDocument = [1, Array.from(values.keys()), numbers, ...kept]
  return JSON.stringify(document)
}

const isAny = (count: NumberDocument): boolean => count !== 0

/** Reads what `encodeRollup` wrote. */
export const decodeRollup = (text: string): Rollup => {
  const [, keys, numbers, units = [], images = [], cacheUse = []]: RollupDocument = JSON.parse(text)
  const reader = {
    numbers,
    next: 0,
    units: { numbers: units, next: 0 },
    images: { numbers: images, next: 0 },
    cacheUse: { numbers: cacheUse, next: 0 }
  }
  const values = new Map<DimensionValue, Measures>()
  for (const key of keys) values.set(key, readMeasures(reader))
  return reader.next === numbers.length ? { values } : { values, other: readMeasures(reader) }
}

const writeMeasures = (numbers: Array<NumberDocument>, measures: Measures): void => {
  numbers.push(
    measures.requests,
    measures.errors,
    measures.byok,
    measures.unpriced,
    measures.inputTokens,
    measures.outputTokens,
    measures.cachedTokens,
    measures.reasoningTokens,
    toAmountDocument(measures.cost),
    toAmountDocument(measures.upstreamCost)
  )
  writeHistogram(numbers, measures.latency)
  writeHistogram(numbers, measures.firstEvent)
}

interface NumberReader {
  readonly numbers: ReadonlyArray<NumberDocument>
  next: number
}

interface Reader extends NumberReader {
  readonly units: NumberReader
  readonly images: NumberReader
  readonly cacheUse: NumberReader
}

/** 0 in a list that is absent. */
const readNumber = (reader: NumberReader): number => Number(reader.numbers[reader.next++] ?? 0)

const readMeasures = (reader: Reader): Measures => ({
  requests: readNumber(reader),
  errors: readNumber(reader),
  byok: readNumber(reader),
  unpriced: readNumber(reader),
  inputTokens: readNumber(reader),
  outputTokens: readNumber(reader),
  cachedTokens: readNumber(reader),
  reasoningTokens: readNumber(reader),
  characters: readNumber(reader.units),
  audioMillis: readNumber(reader.units),
  outputImages: readNumber(reader.images),
  cost: readAmount(reader),
  upstreamCost: readAmount(reader),
  cacheHits: readNumber(reader.cacheUse),
  cacheMisses: readNumber(reader.cacheUse),
  saved: readAmount(reader.cacheUse),
  latency: readHistogram(reader),
  firstEvent: readHistogram(reader)
})

const toAmountDocument = (amount: NanoUsd.NanoUsd): NumberDocument =>
  amount <= Number.MAX_SAFE_INTEGER ? Number(amount) : String(amount)

const readAmount = (reader: NumberReader): NanoUsd.NanoUsd => {
  const amount = reader.numbers[reader.next++] ?? 0
  return amount === 0 ? NanoUsd.zero : NanoUsd.make(BigInt(amount))
}

/** The number of buckets, the first one, and the counts; a negative number stands for as many empty buckets. */
const writeHistogram = (
  numbers: Array<NumberDocument>,
  { counts, first }: Histogram.Histogram
): void => {
  numbers.push(counts.length)
  if (counts.length === 0) return
  numbers.push(first)
  let gap = 0
  for (const count of counts) {
    if (count === 0) gap += 1
    else {
      if (gap > 0) numbers.push(-gap)
      gap = 0
      numbers.push(count)
    }
  }
  if (gap > 0) numbers.push(-gap)
}

const readHistogram = (reader: Reader): Histogram.Histogram => {
  const length = readNumber(reader)
  if (length === 0) return Histogram.empty
  const first = readNumber(reader)
  const counts: Array<number> = []
  let total = 0
  while (counts.length < length) {
    const count = readNumber(reader)
    if (count < 0) for (let gap = count; gap < 0; gap++) counts.push(0)
    else {
      counts.push(count)
      total += count
    }
  }
  return { count: total, first, counts }
}
