/** How the answer to one request is stored, and given again to requests that are the same. */
import type * as Effect from "effect/Effect"
import type { GenerationId } from "../../values/ids/GenerationId.ts"
import type { NanoUsd } from "../../values/usage/NanoUsd.ts"
import type { Candidate } from "../Candidate.ts"

export interface AnswerCaching<A> {
  /**
   * Everything that the answer depends on besides the models, as JSON: the request as a provider would get it, the API of the
   * caller, and whether the answer is streamed. Undefined: answers to it are not stored.
   */
  readonly content: unknown
  /** What a semantic cache may compare. Absent or undefined: only requests that are the same have the answer. */
  readonly getPrompt?: () => ComparablePrompt | undefined
  /** Called before a provider is, when its answer may be stored. Absent: nothing has to be collected for that. */
  readonly collect?: () => void
  /** Writes a complete answer; undefined: it must not answer another request. */
  readonly write: (value: A) => string | undefined
  /** Answers with what `write` has written. Undefined when that cannot be read: then nothing has reached the caller. */
  readonly replay: (written: string, candidate: Candidate) => Effect.Effect<A | undefined>
}

/** A request that others may ask in other words. */
export interface ComparablePrompt {
  readonly text: string
  /** `AnswerCaching.content` without the text: what such requests have in common. */
  readonly rest: unknown
}

/** Where an answer from the cache comes from. */
export interface CachedSource {
  /** The request whose answer it is. */
  readonly id: GenerationId
  /** What that one cost; absent: unknown. */
  readonly cost?: NanoUsd
  /** It asked the same in other words; absent: it was the same. */
  readonly match?: "semantic"
}

/** What the headers of a response say of the cache. */
export interface CacheReport {
  readonly status: "HIT" | "MISS"
  /** How long the answer is kept from now on. */
  readonly ttlSeconds: number
  /** For a hit. */
  readonly ageSeconds?: number
  readonly source?: GenerationId
  /** For a hit of a request that asked the same in other words; absent: it was the same. */
  readonly match?: "semantic"
}
