/** ResponseCacheStore in the memory of this process. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { countAnswerBytes, isSelected } from "../engine/cache/cachedAnswers.ts"
import { type NewCachedAnswer, ResponseCacheStore } from "../engine/cache/ResponseCacheStore.ts"
import { Settings } from "../instance/Settings.ts"

/**
 * Bounded in bytes: beyond `Settings.maxResponseCacheBytes` of a workspace, or of all workspaces together, the least recently
 * used answers make room. The workspace with the most bytes gives up its answers first, so that no other can push them out.
 */
export const memoryResponseCacheStore: Layer.Layer<ResponseCacheStore> = Layer.effect(
  ResponseCacheStore,
  Effect.map(Settings, ({ maxResponseCacheBytes }): ResponseCacheStore["Service"] => {
    /** The least recently used first, by key, by account and workspace. */
    const shelves = new Map<string, Shelf>()
    const shelfByKey = new Map<string, string>()
    let total = 0

    const remove = (key: string): void => {
      const name = shelfByKey.get(key)
      const shelf = name === undefined ? undefined : shelves.get(name)
      const answer = shelf?.answers.get(key)
      if (name === undefined || shelf === undefined || answer === undefined) return
      shelfByKey.delete(key)
      shelf.answers.delete(key)
      shelf.bytes -= countAnswerBytes(answer)
      total -= countAnswerBytes(answer)
      if (shelf.answers.size === 0) shelves.delete(name)
    }
    const isFull = (): boolean => total > maxResponseCacheBytes
    const removeOldest = ({ answers }: Shelf): void => {
      const [oldest] = answers.keys()
      if (oldest !== undefined) remove(oldest)
    }
    const findLargest = (): Shelf | undefined => {
      let largest: Shelf | undefined
      for (const shelf of shelves.values()) {
        if (largest === undefined || shelf.bytes > largest.bytes) largest = shelf
      }
      return largest
    }

    return {
      find: (key, now) =>
        Effect.sync(() => {
          const answers = shelves.get(shelfByKey.get(key) ?? "")?.answers
          const answer = answers?.get(key)
          if (answers === undefined || answer === undefined) return undefined
          if (answer.expiresAt <= now) {
            remove(key)
            return undefined
          }
          answers.delete(key)
          answers.set(key, answer)
          return answer.text
        }),
      put: (answer) =>
        Effect.sync(() => {
          remove(answer.key)
          const bytes = countAnswerBytes(answer)
          if (bytes > Math.min(answer.maxBytes, maxResponseCacheBytes)) return
          const name = JSON.stringify([answer.owner.account, answer.owner.workspace])
          const shelf = shelves.get(name) ?? { answers: new Map(), bytes: 0 }
          shelves.set(name, shelf)
          shelf.answers.set(answer.key, answer)
          shelfByKey.set(answer.key, name)
          shelf.bytes += bytes
          total += bytes
          while (shelf.bytes > answer.maxBytes) removeOldest(shelf)
          while (isFull()) removeOldest(findLargest() ?? shelf)
        }),
      remove: (key) => Effect.sync(() => remove(key)),
      removeAll: (filter) =>
        Effect.sync(() => {
          const selected: Array<string> = []
          for (const { answers } of shelves.values()) {
            for (const { key, owner } of answers.values()) {
              if (isSelected(owner, filter)) selected.push(key)
            }
          }
          for (const key of selected) remove(key)
          return selected.length
        })
    }
  })
)

/** The answers of a workspace. */
interface Shelf {
  readonly answers: Map<string, NewCachedAnswer>
  bytes: number
}
