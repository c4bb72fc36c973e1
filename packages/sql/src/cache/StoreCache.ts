/** What requests read of the stores, remembered until it is changed, here or elsewhere. */
import { type Invalidation, ChangeFeed, type ChangeTopic } from "@signalbox/core/stores"
import * as Cache from "effect/Cache"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
import * as Stream from "effect/Stream"

/** A verb that reads of an account. Its arguments are JSON: they name what is remembered. */
type Read<Args extends ReadonlyArray<unknown>, A> = (...args: Args) => Effect.Effect<A>

/**
 * Versions are numbers of this process: each change is the next one. What was read since the last change of
 * its topic in its account is as the store has it.
 *
 * Races: what was asked for before a change is not told after it; a change made here holds before whoever
 * made it goes on; a transaction reads from the database, and sees its own writes.
 */
export class StoreCache extends Context.Service<
  StoreCache,
  {
    /** The same verb, which asks the store once for as long as nothing of `topic` is changed. */
    readonly cacheReads: <Args extends readonly [account: string, ...ReadonlyArray<unknown>], A>(
      topic: ChangeTopic,
      verb: Read<Args, A>
    ) => Effect.Effect<Read<Args, A>>
    /** Another number than before once something of one of these topics is changed in the account, or may be. */
    readonly getVersion: (topics: ReadonlyArray<ChangeTopic>, account: string) => number
    /** The same verb, which changes something of `topic` in an account, once that is committed. */
    readonly invalidateAfter: (
      topic: ChangeTopic
    ) => <Args extends readonly [account: string, ...ReadonlyArray<unknown>], A, E, R>(
      verb: (...args: Args) => Effect.Effect<A, E, R>
    ) => (...args: Args) => Effect.Effect<A, E, R>
  }
>()("@signalbox/sql/StoreCache") {
  /** Remembers `capacity` answers of each verb; the one that was used least recently goes first. */
  static readonly layer = (capacity: number): Layer.Layer<StoreCache, never, SqlClient.SqlClient> =>
    Layer.effect(
      StoreCache,
      Effect.gen(function* () {
        const { afterCommit, transactionService } = yield* SqlClient.SqlClient
        const { remoteInvalidations } = yield* ChangeFeed
        let version = 0
        const versionByTopic = new Map<ChangeTopic, number>()
        const versionByAccount = new Map<
          string,
          { readonly topic: ChangeTopic; readonly at: number }
        >()

        const invalidate = ({ account, topic }: Invalidation): void => {
          version++
          if (account === undefined) {
            versionByTopic.set(topic, version)
            return
          }
          const name = toVersionKey(topic, account)
          // Set anew, so that the first one of the map is the one that was changed least recently.
          versionByAccount.delete(name)
          versionByAccount.set(name, { topic, at: version })
          const [oldest] = versionByAccount
          if (versionByAccount.size <= capacity || oldest === undefined) return
          versionByAccount.delete(oldest[0])
          versionByTopic.set(oldest[1].topic, version)
        }
        const readVersion = (topic: ChangeTopic, account: string): number =>
          Math.max(
            versionByTopic.get(topic) ?? 0,
            versionByAccount.get(toVersionKey(topic, account))?.at ?? 0
          )

        yield* remoteInvalidations.pipe(
          Stream.runForEach((change) => Effect.sync(() => invalidate(change))),
          Effect.forkScoped({ startImmediately: true })
        )

        return {
          getVersion: (topics, account) =>
            Math.max(...topics.map((topic) => readVersion(topic, account))),
          cacheReads: Effect.fnUntraced(function* <
            Args extends readonly [string, ...ReadonlyArray<unknown>],
            A
          >(topic: ChangeTopic, verb: Read<Args, A>) {
            const answers = yield* Cache.makeWith(
              (asked: string) =>
                Effect.suspend(() => {
                  const readAt = version
                  const args: Args = JSON.parse(asked)
                  return Effect.map(verb(...args), (answer) => ({ answer, readAt }))
                }),
              {
                capacity,
                timeToLive: (exit) => (Exit.isSuccess(exit) ? Infinity : 0)
              }
            )
            return (...args: Args) =>
              Effect.flatMap(Effect.serviceOption(transactionService), (transaction) => {
                if (Option.isSome(transaction)) return verb(...args)
                const asked = JSON.stringify(args)
                const since = readVersion(topic, args[0])
                return Effect.flatMap(Cache.get(answers, asked), ({ answer, readAt }) =>
                  readAt >= since
                    ? Effect.succeed(answer)
                    : Effect.map(
                        Effect.andThen(Cache.invalidate(answers, asked), Cache.get(answers, asked)),
                        ({ answer }) => answer
                      )
                )
              })
          }),
          invalidateAfter:
            (topic) =>
            <Args extends readonly [string, ...ReadonlyArray<unknown>], A, E, R>(
              verb: (...args: Args) => Effect.Effect<A, E, R>
            ) =>
            (...args: Args) =>
              Effect.ensuring(
                verb(...args),
                afterCommit(Effect.sync(() => invalidate({ topic, account: args[0] })))
              )
        }
      })
    )
}

const toVersionKey = (topic: ChangeTopic, account: string): string => `${topic} ${account}`
