/** Adds up generations in place, by account, minute, dimension and value. */
import {
  type Dimension,
  type DimensionValue,
  getPairedTag,
  maxValueCharacters,
  type PairDimension,
  toPairValue,
  toTagDimension,
  workspaceUsers
} from "../../../values/Dimension.ts"
import { HistogramSum } from "../../../values/HistogramSum.ts"
import { getTag, maxTags } from "../../../values/Tags.ts"
import type { AccountId } from "../../../values/ids/Ids.ts"
import * as NanoUsd from "../../../values/usage/NanoUsd.ts"
import { NanoUsdSum } from "../../../values/usage/NanoUsdSum.ts"
import type { Generation, GenerationAttempt } from "../generations/Generation.ts"
import type { Measures } from "./Measures.ts"
import { toBucketStart } from "./Resolution.ts"
import type { Rollup } from "./Rollup.ts"

type ValueSums = Map<DimensionValue, MeasuresSum>
type MinuteSums = Map<Dimension, ValueSums>
type MinuteRollups = ReadonlyMap<number, ReadonlyMap<Dimension, Rollup>>

export class RollupSums {
  private readonly pairs: ReadonlyArray<PairDimension>
  private accounts = new Map<AccountId, Map<number, MinuteSums>>()
  private values = 0
  /** The values of pairs by their halves, because writing one for each request would cost more than adding it up. */
  private pairValues = new Map<string, Map<string, string>>()

  /** `pairs`: which are kept. */
  constructor(pairs: ReadonlyArray<PairDimension>) {
    this.pairs = pairs
  }

  /** The number of values that have sums, which their memory follows. */
  get size(): number {
    return this.values
  }

  add(generation: Generation): void {
    const minutes = getOrSet<AccountId, Map<number, MinuteSums>>(
      this.accounts,
      generation.account,
      makeMap
    )
    const startedAt = toBucketStart("minute", generation.startedAt)
    const minute = getOrSet<number, MinuteSums>(minutes, startedAt, makeMap)
    forEachValue(generation, this.pairs, this.writePair, (dimension, value, counted) => {
      const sums = getOrSet<Dimension, ValueSums>(minute, dimension, makeMap)
      const before = sums.size
      getOrSet(sums, value, makeSum).add(counted)
      this.values += sums.size - before
    })
  }

  private readonly writePair = (first: string, model: string): string => {
    const models = getOrSet<string, Map<string, string>>(this.pairValues, first, makeMap)
    const known = models.get(model)
    if (known !== undefined) return known
    const value = toPairValue(first, model)
    models.set(model, value)
    return value
  }

  /** Returns the sums of each account, by the start of the minute in milliseconds since the epoch, and starts over. */
  take(): ReadonlyMap<AccountId, MinuteRollups> {
    const taken = this.accounts
    this.accounts = new Map()
    this.pairValues = new Map()
    this.values = 0
    return mapValues(taken, (minutes) =>
      mapValues(minutes, (rollups) =>
        mapValues(rollups, (values) => ({
          values: mapValues(values, (sum) => sum.toMeasures())
        }))
      )
    )
  }
}

// Shared functions, because a closure per value would be most of the cost of a generation.
const makeMap = <K, V>(): Map<K, V> => new Map()
const makeSum = (): MeasuresSum => new MeasuresSum()

const mapValues = <K, A, B>(map: ReadonlyMap<K, A>, toValue: (value: A) => B): Map<K, B> => {
  const mapped = new Map<K, B>()
  for (const [key, value] of map) mapped.set(key, toValue(value))
  return mapped
}

const getOrSet = <K, V>(map: Map<K, V>, key: K, make: () => V): V => {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

/** Calls `add` with every value that the generation counts to; `pairs` are kept, and `writePair` writes their values. */
export const forEachValue = (
  generation: Generation,
  pairs: ReadonlyArray<PairDimension>,
  writePair: (first: string, second: string) => string,
  add: (dimension: Dimension, value: DimensionValue, counted: Counted) => void
): void => {
  const request = countGeneration(generation)
  const {
    error = "answered",
    externalUser,
    keyHash,
    preset,
    requestedModel,
    tags,
    user
  } = generation
  const model = truncate(generation.model ?? requestedModel)
  add("total", null, request)
  add("outcome", error, request)
  add("operation", generation.operation, request)
  add("model", model, request)
  add("workspace", generation.workspace, request)
  add("key", keyHash ?? null, request)
  add("user", user === undefined ? null : truncate(user), request)
  add("external_user", externalUser === undefined ? null : truncate(externalUser), request)
  if (preset !== undefined) add("preset", truncate(preset), request)
  if (tags !== undefined) {
    // A record that was not made here may have more.
    for (const key of Object.keys(tags).slice(0, maxTags)) {
      add(toTagDimension(key), truncate(tags[key]!), request)
    }
  }
  for (const pair of pairs) {
    const first = getFirst(generation, pair)
    const second = pair === workspaceUsers ? user : model
    if (first !== undefined && second !== undefined) {
      add(pair, writePair(truncate(first), truncate(second)), request)
    }
  }
  for (const attempt of generation.attempts) {
    const counted = countAttempt(attempt)
    add("provider", truncate(attempt.provider), counted)
    add("endpoint", truncate(attempt.endpoint), counted)
  }
}

const getFirst = (
  { externalUser, keyHash, tags, user, workspace }: Generation,
  pair: PairDimension
): string | undefined => {
  switch (pair) {
    case "workspace,model":
    case workspaceUsers:
      return workspace
    case "user,model":
      return user
    case "external_user,model":
      return externalUser
    case "key,model":
      return keyHash
    default:
      return getTag(tags, getPairedTag(pair))
  }
}

/** Callers choose the text. */
const truncate = (text: string): string =>
  text.length <= maxValueCharacters && text.isWellFormed()
    ? text
    : text.slice(0, maxValueCharacters).toWellFormed()

/** The counts of a request or an attempt. */
interface Counted {
  /** Its money, usage and time. */
  readonly of: Pick<
    Generation & GenerationAttempt,
    "cache" | "cost" | "isByok" | "latencyMillis" | "upstreamCost" | "usage"
  >
  readonly isAnswer: boolean
  /** An attempt in whose place another one answered is neither. */
  readonly isError: boolean
  /** Milliseconds to the first event, of streams that began. */
  readonly firstEventMillis: number | undefined
}

const countGeneration = (generation: Generation): Counted => {
  const last = generation.attempts.at(-1)
  return {
    of: generation,
    isAnswer: generation.error === undefined,
    isError: generation.error !== undefined,
    // Earlier attempts and their backoff are part of the caller's wait.
    firstEventMillis:
      last?.firstEventMillis === undefined
        ? undefined
        : Math.max(0, generation.latencyMillis - last.latencyMillis) + last.firstEventMillis
  }
}

const countAttempt = (attempt: GenerationAttempt): Counted => ({
  of: attempt,
  isAnswer: attempt.outcome === "served",
  isError: attempt.outcome !== "served" && attempt.lost !== true,
  firstEventMillis: attempt.firstEventMillis
})

/** Adds up measures in place, because a copy for each value of each request would cost more than the request. */
class MeasuresSum {
  private requests = 0
  private errors = 0
  private byok = 0
  private unpriced = 0
  private inputTokens = 0
  private outputTokens = 0
  private cachedTokens = 0
  private reasoningTokens = 0
  private characters = 0
  private audioMillis = 0
  private outputImages = 0
  private readonly cost = new NanoUsdSum()
  private readonly upstreamCost = new NanoUsdSum()
  private cacheHits = 0
  private cacheMisses = 0
  private saved: NanoUsdSum | undefined
  private readonly latency = new HistogramSum()
  private readonly firstEvent = new HistogramSum()

  add({ firstEventMillis, isAnswer, isError, of }: Counted): void {
    const { cache, cost, usage } = of
    this.requests++
    if (isError) this.errors++
    if (isAnswer) {
      if (cost === undefined) this.unpriced++
      this.latency.add(of.latencyMillis)
    }
    if (of.isByok === true) this.byok++
    if (cost !== undefined) this.cost.add(cost)
    if (of.upstreamCost !== undefined) this.upstreamCost.add(of.upstreamCost)
    if (firstEventMillis !== undefined) this.firstEvent.add(firstEventMillis)
    if (cache !== undefined) this.addCacheUse(cache)
    if (usage === undefined) return
    this.inputTokens += usage.inputTokens
    this.outputTokens += usage.outputTokens
    this.cachedTokens += usage.cachedTokens ?? 0
    this.reasoningTokens += usage.reasoningTokens ?? 0
    this.characters += usage.characters ?? 0
    this.audioMillis += usage.audioMillis ?? 0
    this.outputImages += usage.outputImages ?? 0
  }

  private addCacheUse({ saved, status }: NonNullable<Generation["cache"]>): void {
    if (status === "hit") this.cacheHits++
    else this.cacheMisses++
    if (saved !== undefined) (this.saved ??= new NanoUsdSum()).add(saved)
  }

  toMeasures(): Measures {
    return {
      requests: this.requests,
      errors: this.errors,
      byok: this.byok,
      unpriced: this.unpriced,
      inputTokens: this.inputTokens,
      outputTokens: this.outputTokens,
      cachedTokens: this.cachedTokens,
      reasoningTokens: this.reasoningTokens,
      characters: this.characters,
      audioMillis: this.audioMillis,
      outputImages: this.outputImages,
      cost: this.cost.toNanoUsd(),
      upstreamCost: this.upstreamCost.toNanoUsd(),
      cacheHits: this.cacheHits,
      cacheMisses: this.cacheMisses,
      saved: this.saved?.toNanoUsd() ?? NanoUsd.zero,
      latency: this.latency.toHistogram(),
      firstEvent: this.firstEvent.toHistogram()
    }
  }
}
