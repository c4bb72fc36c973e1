/** Rollups as compact JSON: all numbers of a rollup in one list, because a query decodes thousands of values. Pure. */
import * as Histogram from "../../../values/Histogram.ts"
import * as NanoUsd from "../../../values/usage/NanoUsd.ts"
import type { DimensionValue } from "../../../values/Dimension.ts"
import type { Measures } from "./Measures.ts"
import type { Rollup } from "./Rollup.ts"

/** The values, then the numbers of each value, then the numbers of `other` if it is not empty. */
type RollupDocument = readonly [
  version: 1,
  values: ReadonlyArray<DimensionValue>,
  numbers: ReadonlyArray<NumberDocument>,
  /** The characters and the milliseconds of audio of each; absent: all are 0. Earlier versions ignore them, and the next. */
  units?: ReadonlyArray<number>,
  /** The images of each; absent: all are 0. */
  images?: ReadonlyArray<number>
]

/** An amount is digits when a number would not be exact. */
type NumberDocument = number | string

/** Writes a whole rollup. */
export const encodeRollup = ({ other, values }: Rollup): string => {
  const numbers: Array<NumberDocument> = []
  const units: Array<number> = []
  const images: Array<number> = []
  const all = other === undefined ? [...values.values()] : [...values.values(), other]
  for (const measures of all) {
    writeMeasures(numbers, measures)
    units.push(measures.characters, measures.audioMillis)
    images.push(measures.outputImages)
  }
  const keys = Array.from(values.keys())
  return JSON.stringify(toDocument(keys, numbers, units.some(isAny) ? units : [], images))
}

/** Most rollups are of tokens alone. */
const toDocument = (
  keys: ReadonlyArray<DimensionValue>,
  numbers: ReadonlyArray<NumberDocument>,
  units: ReadonlyArray<number>,
  images: ReadonlyArray<number>
): RollupDocument => {
  if (images.some(isAny)) return [1, keys, numbers, units, images]
  return units.length === 0 ? [1, keys, numbers] : [1, keys, numbers, units]
}

const isAny = (count: number): boolean => count !== 0

/** Reads what `encodeRollup` wrote. */
export const decodeRollup = (text: string): Rollup => {
  const [, keys, numbers, units = [], images = []]: RollupDocument = JSON.parse(text)
  const reader = { numbers, next: 0, units, nextUnit: 0, images, nextImage: 0 }
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

interface Reader {
  readonly numbers: ReadonlyArray<NumberDocument>
  next: number
  readonly units: ReadonlyArray<number>
  nextUnit: number
  readonly images: ReadonlyArray<number>
  nextImage: number
}

const readNumber = (reader: Reader): number => Number(reader.numbers[reader.next++])

const readUnit = (reader: Reader): number => reader.units[reader.nextUnit++] ?? 0

const readMeasures = (reader: Reader): Measures => ({
  requests: readNumber(reader),
  errors: readNumber(reader),
  byok: readNumber(reader),
  unpriced: readNumber(reader),
  inputTokens: readNumber(reader),
  outputTokens: readNumber(reader),
  cachedTokens: readNumber(reader),
  reasoningTokens: readNumber(reader),
  characters: readUnit(reader),
  audioMillis: readUnit(reader),
  outputImages: reader.images[reader.nextImage++] ?? 0,
  cost: readAmount(reader),
  upstreamCost: readAmount(reader),
  latency: readHistogram(reader),
  firstEvent: readHistogram(reader)
})

const toAmountDocument = (amount: NanoUsd.NanoUsd): NumberDocument =>
  amount <= Number.MAX_SAFE_INTEGER ? Number(amount) : String(amount)

const readAmount = (reader: Reader): NanoUsd.NanoUsd => {
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
