/** Finds earlier requests that ask the same in other words. A port without an implementation. */
import * as Effect from "effect/Effect"
import type { CachedAnswerFilter, CachedAnswerOwner } from "./ResponseCacheStore.ts"

/** What somebody asks. */
export interface SemanticPrompt {
  /**
   * Only prompts of one partition may be compared: their requests are the same but for `text`, and of callers who share
   * answers. Up to 64 letters and digits, unguessable without the request.
   */
  readonly partition: string
  /** The last message, which is the user's and text alone; after content filters. */
  readonly text: string
  /** Whose request it is, such as for the cost of an embedding. */
  readonly owner: CachedAnswerOwner
  /** Aborted when the time of the call is over. */
  readonly signal: AbortSignal
}

/** A prompt whose answer is stored. */
export interface AnsweredPrompt extends SemanticPrompt {
  /** What `find` returns for prompts that ask the same. Another prompt with this key takes its place. */
  readonly key: string
  /** When the answer is gone, in milliseconds since the epoch. */
  readonly expiresAt: number
}

/** What a function of the host returns. */
type Returned<A> = A | Promise<A> | Effect.Effect<A, unknown>

/**
 * Compares prompts, such as by embeddings. It has no answers: those stay where `ResponseCacheStore` has them, and are checked
 * for every caller before they are served. It may forget prompts at any time, and may return keys of answers that are gone.
 *
 * Race: a `removeAll` that begins after an `add` has ended removes its prompt.
 */
export interface SemanticCache {
  /** The key of the most similar prompt of the partition; undefined: none asks the same. */
  readonly find: (prompt: SemanticPrompt) => Returned<string | undefined>
  /** Called after the answer has been stored, and not awaited by its request. */
  readonly add: (prompt: AnsweredPrompt) => Returned<unknown>
  /** Forgets the prompts of a key, of a person, or of a workspace, which is going. */
  readonly removeAll: (filter: CachedAnswerFilter) => Returned<unknown>
}

/** Calls a function of the host's semantic cache. Fails when the function does, or with a `TimeoutError`. */
export const callSemanticCache = <A>(
  call: (signal: AbortSignal) => A | Promise<A> | Effect.Effect<A, unknown>,
  timeoutMillis: number
): Effect.Effect<A, unknown> =>
  Effect.suspend(() => {
    const aborting = new AbortController()
    return Effect.suspend(() => {
      const returned = call(aborting.signal)
      return Effect.isEffect(returned) ? returned : Effect.tryPromise(async () => returned)
    }).pipe(
      Effect.timeout(timeoutMillis),
      Effect.onError(() => Effect.sync(() => aborting.abort()))
    )
  })
