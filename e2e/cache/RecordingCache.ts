/** A store of cached answers that tests look into: it counts what is looked up, and shows what it has. */
import { type NewCachedAnswer, type ResponseCacheStore, isSelected } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import { WaitableLog } from "../../packages/testing/src/WaitableLog.ts"

export class RecordingCache {
  readonly answers = new Map<string, NewCachedAnswer>()
  /** The keys that were looked up, in order. */
  readonly #lookups = new WaitableLog<string>("lookups")

  /** Resolves once as many requests have looked for their answers: those that found none lead or wait then. */
  async waitForLookups(count: number): Promise<void> {
    await this.#lookups.waitForCount(count)
    // The last one goes on after its lookup.
    await new Promise((resolve) => setImmediate(resolve))
  }

  get lookups(): ReadonlyArray<string> {
    return this.#lookups.things
  }

  readonly store: ResponseCacheStore["Service"] = {
    find: (key, now) =>
      Effect.sync(() => {
        this.#lookups.add(key)
        const answer = this.answers.get(key)
        return answer === undefined || answer.expiresAt <= now ? undefined : answer.text
      }),
    put: (answer) => Effect.sync(() => void this.answers.set(answer.key, answer)),
    remove: (key) => Effect.sync(() => void this.answers.delete(key)),
    removeAll: (filter) =>
      Effect.sync(() => {
        const selected = Array.from(this.answers.values()).filter(({ owner }) =>
          isSelected(owner, filter)
        )
        for (const { key } of selected) this.answers.delete(key)
        return selected.length
      })
  }
}
