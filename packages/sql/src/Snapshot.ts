/** What requests read of the stores, remembered until it is changed, here or elsewhere. */
import { type Change, Changes, type Topic } from "@signalbox/core/stores"
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
export class Snapshot extends Context.Service<
  Snapshot,
  {
    /** The same verb, which asks the store once for as long as nothing of `topic` is changed. */
    readonly remembered: <Args extends readonly [account: string, ...ReadonlyArray<unknown>], A>(
      topic: Topic,
      verb: Read<Args, A>
    ) => Effect.Effect<Read<Args, A>>
    /** Another number than before once something of one of these topics is changed in the account, or may be. */
    readonly lastChange: (topics: ReadonlyArray<Topic>, account: string) => number
    /** The same verb, which changes something of `topic` in an account, once that is committed. */
    readonly changing: (
      topic: Topic
    ) => <Args extends readonly [account: string, ...ReadonlyArray<unknown>], A, E, R>(
      verb: (...args: Args) => Effect.Effect<A, E, R>
    ) => (...args: Args) => Effect.Effect<A, E, R>
  }
>()("@signalbox/sql/Snapshot") {
  /** Remembers `capacity` answers of each verb; the one that was used least recently goes first. */
  static readonly layer = (capacity: number): Layer.Layer<Snapshot, never, SqlClient.SqlClient> =>
    Layer.effect(
      Snapshot,
      Effect.gen(function* () {
        const { afterCommit, transactionService } = yield* SqlClient.SqlClient
        const { elsewhere } = yield* Changes
        let version = 0
        const ofTopics = new Map<Topic, number>()
        const ofAccounts = new Map<string, { readonly topic: Topic; readonly at: number }>()

        const changed = ({ account, topic }: Change): void => {
          version++
          if (account === undefined) {
            ofTopics.set(topic, version)
            return
          }
          const name = nameOf(topic, account)
          // Set anew, so that the first one of the map is the one that was changed least recently.
          ofAccounts.delete(name)
          ofAccounts.set(name, { topic, at: version })
          const [oldest] = ofAccounts
          if (ofAccounts.size <= capacity || oldest === undefined) return
          ofAccounts.delete(oldest[0])
          ofTopics.set(oldest[1].topic, version)
        }
        const lastChangeOf = (topic: Topic, account: string): number =>
          Math.max(ofTopics.get(topic) ?? 0, ofAccounts.get(nameOf(topic, account))?.at ?? 0)

        yield* elsewhere.pipe(
          Stream.runForEach((change) => Effect.sync(() => changed(change))),
          Effect.forkScoped({ startImmediately: true })
        )

        return {
          lastChange: (topics, account) =>
            Math.max(...topics.map((topic) => lastChangeOf(topic, account))),
          remembered: Effect.fnUntraced(function* <
            Args extends readonly [string, ...ReadonlyArray<unknown>],
            A
          >(topic: Topic, verb: Read<Args, A>) {
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
                const since = lastChangeOf(topic, args[0])
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
          changing:
            (topic) =>
            <Args extends readonly [string, ...ReadonlyArray<unknown>], A, E, R>(
              verb: (...args: Args) => Effect.Effect<A, E, R>
            ) =>
            (...args: Args) =>
              Effect.ensuring(
                verb(...args),
                afterCommit(Effect.sync(() => changed({ topic, account: args[0] })))
              )
        }
      })
    )
}

const nameOf = (topic: Topic, account: string): string => `${topic} ${account}`
