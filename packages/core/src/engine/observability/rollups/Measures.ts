/** What a group of requests, or of attempts, adds up to: counts, tokens, money and times. */
import * as Histogram from "../../../values/Histogram.ts"
import * as NanoUsd from "../../../values/usage/NanoUsd.ts"

/** Sums over the requests of one bucket; over attempts in the dimensions `endpoint` and `provider`. */
export interface Measures {
  readonly requests: number
  /** The requests that ended with an error. */
  readonly errors: number
  /** The requests that ran on a customer's credential. */
  readonly byok: number
  /** The answered requests whose cost is unknown; `cost` lacks them. */
  readonly unpriced: number
  readonly inputTokens: number
  readonly outputTokens: number
  /** The part of `inputTokens` read from prompt caches. */
  readonly cachedTokens: number
  /** The part of `outputTokens` spent on reasoning. */
  readonly reasoningTokens: number
  /** Characters of text to speak. */
  readonly characters: number
  /** Milliseconds of audio to transcribe. */
  readonly audioMillis: number
  /** Images that were made. */
  readonly outputImages: number
  readonly cost: NanoUsd.NanoUsd
  /** The cost that providers charge the owners of credentials. */
  readonly upstreamCost: NanoUsd.NanoUsd
  /** The requests that the cache of responses answered. */
  readonly cacheHits: number
  /** The requests that looked into it, and found nothing to answer them with. */
  readonly cacheMisses: number
  /** What the hits would have cost: what their sources did, as far as that is known. */
  readonly saved: NanoUsd.NanoUsd
  /** Milliseconds to the whole answer, of answered requests. */
  readonly latency: Histogram.Histogram
  /** Milliseconds to the first event, of streams that began. */
  readonly firstEvent: Histogram.Histogram
}

export const empty: Measures = {
  requests: 0,
  errors: 0,
  byok: 0,
  unpriced: 0,
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  reasoningTokens: 0,
  characters: 0,
  audioMillis: 0,
  outputImages: 0,
  cost: NanoUsd.zero,
  upstreamCost: NanoUsd.zero,
  cacheHits: 0,
  cacheMisses: 0,
  saved: NanoUsd.zero,
  latency: Histogram.empty,
  firstEvent: Histogram.empty
}

/** Associative and commutative; no count, token or nano-USD is lost. */
export const merge = (self: Measures, that: Measures): Measures => ({
  requests: self.requests + that.requests,
  errors: self.errors + that.errors,
  byok: self.byok + that.byok,
  unpriced: self.unpriced + that.unpriced,
  inputTokens: self.inputTokens + that.inputTokens,
  outputTokens: self.outputTokens + that.outputTokens,
  cachedTokens: self.cachedTokens + that.cachedTokens,
  reasoningTokens: self.reasoningTokens + that.reasoningTokens,
  characters: self.characters + that.characters,
  audioMillis: self.audioMillis + that.audioMillis,
  outputImages: self.outputImages + that.outputImages,
  cost: NanoUsd.make(self.cost + that.cost),
  upstreamCost: NanoUsd.make(self.upstreamCost + that.upstreamCost),
  cacheHits: self.cacheHits + that.cacheHits,
  cacheMisses: self.cacheMisses + that.cacheMisses,
  saved: NanoUsd.make(self.saved + that.saved),
  latency: Histogram.merge(self.latency, that.latency),
  firstEvent: Histogram.merge(self.firstEvent, that.firstEvent)
})

/** `merge` of any number, in one pass. */
export const mergeAll = (all: ReadonlyArray<Measures>): Measures => {
  const [first, second] = all
  if (first === undefined) return empty
  if (second === undefined) return first
  const sum: { -readonly [K in keyof Measures]: Measures[K] } = { ...empty }
  for (const each of all) {
    sum.requests += each.requests
    sum.errors += each.errors
    sum.byok += each.byok
    sum.unpriced += each.unpriced
    sum.inputTokens += each.inputTokens
    sum.outputTokens += each.outputTokens
    sum.cachedTokens += each.cachedTokens
    sum.reasoningTokens += each.reasoningTokens
    sum.characters += each.characters
    sum.audioMillis += each.audioMillis
    sum.outputImages += each.outputImages
    sum.cost = NanoUsd.make(sum.cost + each.cost)
    sum.upstreamCost = NanoUsd.make(sum.upstreamCost + each.upstreamCost)
    sum.cacheHits += each.cacheHits
    sum.cacheMisses += each.cacheMisses
    sum.saved = NanoUsd.make(sum.saved + each.saved)
  }
  sum.latency = Histogram.mergeAll(all.map(({ latency }) => latency))
  sum.firstEvent = Histogram.mergeAll(all.map(({ firstEvent }) => firstEvent))
  return sum
}
