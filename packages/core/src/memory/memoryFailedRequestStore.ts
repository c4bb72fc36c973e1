/** FailedRequestStore in the memory of this process. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Settings } from "../instance/Settings.ts"
import {
  type FailedRequest,
  FailedRequestStore
} from "../engine/observability/failures/FailedRequest.ts"
import { MemoryPeople } from "./MemoryPeople.ts"
import { makeFairEviction } from "../engine/observability/generations/FairEviction.ts"
import { AccountId } from "../values/ids/Ids.ts"

/**
 * Keeps `Settings.maxFailedRequests`. Beyond that, the account with the most loses its oldest one. All requests that were
 * not authenticated count as one account.
 */
export const memoryFailedRequestStore: Layer.Layer<FailedRequestStore> = Layer.effect(
  FailedRequestStore,
  Effect.gen(function* () {
    const { maxFailedRequests } = yield* Settings
    const eviction = makeFairEviction(maxFailedRequests)
    /** The oldest first, by a number that grows. */
    const rows = new Map<AccountId, Map<number, FailedRequest>>()
    let last = 0
    const people = yield* MemoryPeople
    people.register(({ account, kind, name }) =>
      Effect.sync(() => {
        const own = rows.get(account)
        if (own === undefined || kind !== "user") return 0
        const before = own.size
        // The eviction counts them until others take their place, which only keeps fewer.
        for (const [at, { caller }] of own) if (caller?.user === name) own.delete(at)
        return before - own.size
      })
    )
    const evict = (account: AccountId): void => {
      const own = rows.get(account)
      if (own === undefined) return
      for (const oldest of own.keys()) {
        own.delete(oldest)
        break
      }
      if (own.size === 0) rows.delete(account)
    }
    return {
      record: (failed) => {
        const account = failed.caller?.account ?? unauthenticated
        const evicted = eviction.take(account)
        if (evicted !== undefined) evict(evicted)
        let own = rows.get(account)
        if (own === undefined) rows.set(account, (own = new Map()))
        own.set((last += 1), failed)
        return Effect.void
      },
      list: ({ account, includesUnauthenticated, requestId, status }, limit) =>
        Effect.sync(() =>
          [
            ...(rows.get(account) ?? []),
            ...(includesUnauthenticated ? (rows.get(unauthenticated) ?? []) : [])
          ]
            .filter(
              ([, failed]) =>
                (requestId === undefined || failed.requestId === requestId) &&
                (status === undefined || failed.status === status)
            )
            .toSorted(([one], [other]) => other - one)
            .slice(0, limit)
            .map(([, failed]) => failed)
        )
    }
  })
)

/** Cannot collide with a host's account: ids contain no control characters. */
const unauthenticated = AccountId.make("\0")
