/** Caches what requests read from the stores until this process or another changes it. */
import { type Invalidation, ChangeFeed, type ChangeTopic, Settings } from "@signalbox/core/stores"
import * as Cache from "effect/Cache"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
import * as Stream from "effect/Stream"
import { ReadOutage, StaleReads, type Standing } from "./StaleReads.ts"

/** A store call that reads from an account. Its arguments must be JSON, since they are the cache key. */
type Read<Args extends ReadonlyArray<unknown>, A> = (...args: Args) => Effect.Effect<A>

/** A result, and the version at which it was read. */
interface CachedRead<A> {
  readonly result: A
  readonly readAt: number
}

const getResult = <A>({ result }: CachedRead<A>): A => result

/**
 * Each change takes the next version, a number of this process. A cached result is valid if it was read since
 * the last change of its topic in its account.
 *
 * Races: a read that began before a change is never served after it. A change by this process is visible
 * before the call that made it returns. A transaction bypasses the cache, so it sees its own writes.
 */
export class StoreCache extends Context.Service<
  StoreCache,
  {
    /** Wraps `read` so that it reads the store once until something of `topic` changes in its account. */
    readonly cacheReads: <Args extends readonly [account: string, ...ReadonlyArray<unknown>], A>(
      topic: ChangeTopic,
      read: Read<Args, A>
    ) => Effect.Effect<Read<Args, A>>
    /** A version that changes whenever one of the topics changes, or may have changed, in the account. */
    readonly getVersion: (topics: ReadonlyArray<ChangeTopic>, account: string) => number
    /** Undefined without `Settings.staleOnErrorMillis`. */
    readonly outage: ReadOutage | undefined
    /** Calls `listener` with each change by another process. */
    readonly onRemoteChange: (listener: (change: Invalidation) => void) => void
    /** Wraps `change` so that it invalidates `topic` in its account once its transaction commits. */
    readonly invalidateAfter: (
      topic: ChangeTopic
    ) => <Args extends readonly [account: string, ...ReadonlyArray<unknown>], A, E, R>(
      change: (...args: Args) => Effect.Effect<A, E, R>
    ) => (...args: Args) => Effect.Effect<A, E, R>
  }
>()("@signalbox/sql/cache/StoreCache") {
  /** Caches `capacity` results of each read and evicts the least recently used. */
  static readonly layer = (capacity: number): Layer.Layer<StoreCache, never, SqlClient.SqlClient> =>
    Layer.effect(
      StoreCache,
      Effect.gen(function* () {
        const { afterCommit, transactionService } = yield* SqlClient.SqlClient
        const { remoteInvalidations } = yield* ChangeFeed
        const clock = yield* Clock.Clock
        const { staleOnErrorMillis } = yield* Settings
        const outage =
          staleOnErrorMillis === 0 ? undefined : new ReadOutage(clock, staleOnErrorMillis)
        const listeners: Array<(change: Invalidation) => void> = []
        let version = 0
        /** All that was read before it has to be read again, but may be served while reads fail. */
        let unconfirmedVersion = 0
        const versionByTopic = new Map<ChangeTopic, number>()
        const versionByAccount = new Map<
          string,
          { readonly topic: ChangeTopic; readonly at: number }
        >()

        const invalidate = ({ account, isUnconfirmed, topic }: Invalidation): void => {
          version++
          if (outage !== undefined && isUnconfirmed === true) {
            unconfirmedVersion = version
            outage.addMissedChanges()
            return
          }
          if (account === undefined) {
            versionByTopic.set(topic, version)
            return
          }
          const key = toVersionKey(topic, account)
          // Reinserted, so that the map is ordered by the time of the change.
          versionByAccount.delete(key)
          versionByAccount.set(key, { topic, at: version })
          const [oldest] = versionByAccount
          if (versionByAccount.size <= capacity || oldest === undefined) return
          // Invalidates the topic for all accounts, since the version of this one is gone.
          versionByAccount.delete(oldest[0])
          versionByTopic.set(oldest[1].topic, version)
        }
        const readVersion = (topic: ChangeTopic, account: string): number =>
          Math.max(
            versionByTopic.get(topic) ?? 0,
            versionByAccount.get(toVersionKey(topic, account))?.at ?? 0
          )

        yield* remoteInvalidations.pipe(
          Stream.runForEach((change) =>
            Effect.sync(() => {
              invalidate(change)
              if (change.isUnconfirmed === true) return
              for (const listener of listeners) listener(change)
            })
          ),
          Effect.forkScoped({ startImmediately: true })
        )

        return {
          outage,
          onRemoteChange: (listener) => void listeners.push(listener),
          getVersion: (topics, account) =>
            Math.max(unconfirmedVersion, ...topics.map((topic) => readVersion(topic, account))),
          cacheReads: Effect.fnUntraced(function* <
            Args extends readonly [string, ...ReadonlyArray<unknown>],
            A
          >(topic: ChangeTopic, read: Read<Args, A>) {
            const lastReads =
              outage === undefined
                ? undefined
                : new StaleReads<string, CachedRead<A>>(outage, capacity)
            const cache = yield* Cache.makeWith(
              (key: string) =>
                Effect.suspend(() => {
                  const readAt = version
                  const args: Args = JSON.parse(key)
                  return Effect.map(read(...args), (result) => {
                    const found = { result, readAt }
                    lastReads?.set(key, found)
                    return found
                  })
                }),
              {
                capacity,
                timeToLive: (exit) => (Exit.isSuccess(exit) ? Infinity : 0)
              }
            )
            return (...args: Args) =>
              Effect.flatMap(Effect.serviceOption(transactionService), (transaction) => {
                if (Option.isSome(transaction)) return read(...args)
                const key = JSON.stringify(args)
                const changedAt = readVersion(topic, args[0])
                const confirmedAt = Math.max(changedAt, unconfirmedVersion)
                const found = Effect.flatMap(Cache.get(cache, key), (found) =>
                  found.readAt >= confirmedAt
                    ? Effect.succeed(found)
                    : Effect.andThen(Cache.invalidate(cache, key), Cache.get(cache, key))
                )
                if (lastReads === undefined) return Effect.map(found, getResult)
                const judge = ({ readAt }: CachedRead<A>): Standing =>
                  readAt < readVersion(topic, args[0])
                    ? "changed"
                    : readAt < unconfirmedVersion
                      ? "unconfirmed"
                      : "confirmed"
                return Effect.map(lastReads.orLast(key, found, judge), getResult)
              })
          }),
          invalidateAfter:
            (topic) =>
            <Args extends readonly [string, ...ReadonlyArray<unknown>], A, E, R>(
              change: (...args: Args) => Effect.Effect<A, E, R>
            ) =>
            (...args: Args) =>
              Effect.ensuring(
                change(...args),
                afterCommit(Effect.sync(() => invalidate({ topic, account: args[0] })))
              )
        }
      })
    )
}

const toVersionKey = (topic: ChangeTopic, account: string): string => `${topic} ${account}`
