/** ResponseCacheStore in the memory of this process. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { countAnswerBytes, isSelected } from "../engine/cache/cachedAnswers.ts"
import {
  type CachedAnswerOwner,
  type NewCachedAnswer,
  ResponseCacheStore
} from "../engine/cache/ResponseCacheStore.ts"
import { Settings } from "../instance/Settings.ts"

/**
 * Bounded in bytes: beyond `Settings.maxResponseCacheBytes` of a workspace, or of all workspaces together, the least recently
 * used answers make room. The account with the most bytes gives up its answers first, and of that the workspace with the most,
 * so that no other can push them out, however many workspaces it has.
 */
export const memoryResponseCacheStore: Layer.Layer<ResponseCacheStore> = Layer.effect(
  ResponseCacheStore,
  Effect.map(Settings, ({ maxResponseCacheBytes }): ResponseCacheStore["Service"] => {
    const accounts = new Map<string, Account>()
    const shelfByKey = new Map<string, Shelf>()
    let total = 0

    const addBytes = (shelf: Shelf, bytes: number): void => {
      shelf.bytes += bytes
      shelf.account.bytes += bytes
      total += bytes
    }
    const remove = (key: string): void => {
      const shelf = shelfByKey.get(key)
      const answer = shelf?.answers.get(key)
      if (shelf === undefined || answer === undefined) return
      const { account, answers, owner } = shelf
      shelfByKey.delete(key)
      answers.delete(key)
      addBytes(shelf, -countAnswerBytes(answer))
      if (answers.size === 0) account.shelves.delete(owner.workspace)
      if (account.shelves.size === 0) accounts.delete(owner.account)
    }
    const isFull = (): boolean => total > maxResponseCacheBytes
    const getShelf = (owner: CachedAnswerOwner): Shelf => {
      const account = accounts.get(owner.account) ?? { bytes: 0, shelves: new Map() }
      accounts.set(owner.account, account)
      const shelf = account.shelves.get(owner.workspace) ?? {
        account,
        answers: new Map(),
        bytes: 0,
        owner
      }
      account.shelves.set(owner.workspace, shelf)
      return shelf
    }
    const removeOldest = ({ answers }: Shelf): void => {
      const [oldest] = answers.keys()
      if (oldest !== undefined) remove(oldest)
    }

    return {
      find: (key, now) =>
        Effect.sync(() => {
          const answers = shelfByKey.get(key)?.answers
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
          const shelf = getShelf(answer.owner)
          shelf.answers.set(answer.key, answer)
          shelfByKey.set(answer.key, shelf)
          addBytes(shelf, bytes)
          while (shelf.bytes > answer.maxBytes) removeOldest(shelf)
          while (isFull()) removeOldest(findLargest(findLargest(accounts)?.shelves) ?? shelf)
        }),
      remove: (key) => Effect.sync(() => remove(key)),
      removeAll: (filter) =>
        Effect.sync(() => {
          const selected: Array<string> = []
          for (const { answers } of accounts.get(filter.account)?.shelves.values() ?? []) {
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

const findLargest = <Sized extends { readonly bytes: number }>(
  all: ReadonlyMap<string, Sized> = new Map()
): Sized | undefined => {
  let largest: Sized | undefined
  for (const each of all.values()) {
    if (largest === undefined || each.bytes > largest.bytes) largest = each
  }
  return largest
}

interface Account {
  bytes: number
  /** By workspace. */
  readonly shelves: Map<string, Shelf>
}

/** The answers of a workspace. */
interface Shelf {
  readonly account: Account
  readonly owner: CachedAnswerOwner
  /** The least recently used first, by key. */
  readonly answers: Map<string, NewCachedAnswer>
  bytes: number
}
