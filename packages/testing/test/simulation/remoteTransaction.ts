/** Transactions of a process on the database, whose statements and end cross the network. */
import { StoreUnavailable, type Transaction } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { constVoid } from "effect/Function"
import { CurrentSession, type Database, type Session } from "./Database.ts"
import type { Link } from "./Link.ts"

/**
 * A transaction whose connection breaks is rolled back, unless it has been committed; then its process cannot know that. One that
 * stays idle for too long is rolled back, too.
 */
export const makeRemoteTransaction = (
  transaction: Transaction["Service"],
  database: Database,
  link: Link
): Transaction["Service"] => {
  const { server, weather } = link

  const begin = (outer: Session | undefined): Effect.Effect<Session> =>
    link.call<Session>("begin", {
      isAbandoned: true,
      run: (onExit) => {
        let session: Session | undefined
        let isGone = false
        database.begin(outer, transaction.withTransaction, (begun) => {
          session = begun
          if (isGone) return begun.end(false)
          server.schedule(maxTransactionMillis, "idle transaction", () => begun.end(false))
          onExit(Exit.succeed(begun))
        })
        return () => {
          isGone = true
          session?.end(false)
        }
      }
    })

  const end = (session: Session, isCommitted: boolean): Effect.Effect<void> =>
    link
      .call<void>(isCommitted ? "commit" : "rollback", {
        run: (onExit) => {
          session.onEnd((wasCommitted) =>
            onExit(
              wasCommitted === isCommitted
                ? Exit.void
                : Exit.die(new StoreUnavailable({ cause: new Error("it was rolled back") }))
            )
          )
          session.end(isCommitted)
          return constVoid
        }
      })
      .pipe(
        Effect.onError(() =>
          Effect.sync(() => {
            server.schedule(weather.detect(), "aborted transaction", () => session.end(false))
          })
        )
      )

  return {
    withTransaction: (effect) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(CurrentSession, (outer) =>
          Effect.flatMap(restore(begin(outer)), (session) => {
            const unwatch = link.watch("transaction", () => session.end(false))
            const body = Effect.provideService(effect, CurrentSession, session)
            return Effect.flatMap(Effect.exit(restore(body)), (exit) => {
              unwatch()
              return Exit.isSuccess(exit)
                ? Effect.as(end(session, true), exit.value)
                : Effect.andThen(Effect.ignoreCause(end(session, false)), exit)
            })
          })
        )
      )
  }
}

const maxTransactionMillis = 5_000
