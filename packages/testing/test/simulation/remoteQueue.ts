/** The queue of durable steps as a process sees it: it holds a step under a lease. */
import type { JobStore } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { constVoid } from "effect/Function"
import * as Scope from "effect/Scope"
import { CurrentSession, type Database } from "./Database.ts"
import type { Link } from "./Link.ts"

type Queue = JobStore["Service"]["queue"]
type Taken = Effect.Success<ReturnType<Queue["take"]>>
type TakeError = Effect.Error<ReturnType<Queue["take"]>>

/**
 * The lease of a step is renewed for as long as its process and the connection work. Then the step is there for others again, and
 * what its process says about it afterwards counts no more.
 */
export const makeRemoteQueue = (queue: Queue, database: Database, link: Link): Queue => {
  const { client, server, weather } = link

  const statement = <A, E>(name: string, effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.flatMap(CurrentSession, (session) =>
      link.call<A, E>(name, {
        run: (onExit) => {
          const interrupt = database.run(session, effect, onExit)
          return session === undefined ? constVoid : () => (interrupt(), session.end(false))
        }
      })
    )

  const take = (options: Parameters<Queue["take"]>[0]): Effect.Effect<Leased, TakeError> =>
    link.call<Leased, TakeError>("JobStore.take", {
      isAbandoned: true,
      run: (onExit) => {
        const scope = Scope.makeUnsafe()
        let leased: Leased | undefined
        const interrupt = database.run(
          undefined,
          Scope.provide(queue.take(options), scope),
          (exit) => {
            if (Exit.isFailure(exit)) return onExit(Exit.failCause(exit.cause))
            leased = new Leased(exit.value, scope, database)
            renew(leased, server.timeline.now)
            onExit(Exit.succeed(leased))
          }
        )
        return () => {
          if (leased === undefined) interrupt()
          else leased.isHeld = false
        }
      }
    })

  const renew = (leased: Leased, since: number): void => {
    server.schedule(leaseRefreshMillis, "lease", () => {
      if (leased.isEnded) return
      const { now } = server.timeline
      const isRenewed =
        leased.isHeld && !client.isOver && !weather.isCut && client.pausedUntil <= now
      if (isRenewed) renew(leased, now)
      else if (now - since < leaseMillis) renew(leased, since)
      else leased.end(Exit.fail("the lease has expired"))
    })
  }

  return {
    offer: (options) => statement("JobStore.offer", queue.offer(options)),
    cleanup: (options) => statement("JobStore.cleanup", queue.cleanup(options)),
    take: (options) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(restore(take(options)), (leased) =>
          Effect.as(
            Effect.addFinalizer((exit) =>
              link
                .call<void>("JobStore.end", {
                  run: (onExit) => {
                    leased.end(exit)
                    onExit(Exit.void)
                    return constVoid
                  }
                })
                .pipe(
                  Effect.onError(() =>
                    Effect.sync(() => {
                      leased.isHeld = false
                    })
                  )
                )
            ),
            leased.taken
          )
        )
      )
  }
}

/** A step that a process holds. */
class Leased {
  readonly taken: Taken
  /** False: its process has lost it, and no longer renews its lease. */
  isHeld = true
  isEnded = false
  readonly #scope: Scope.Closeable
  readonly #database: Database

  constructor(taken: Taken, scope: Scope.Closeable, database: Database) {
    this.taken = taken
    this.#scope = scope
    this.#database = database
  }

  /** Ends the lease; a second call does nothing. */
  end(exit: Exit.Exit<unknown, unknown>): void {
    if (this.isEnded) return
    this.isEnded = true
    this.#database.run(undefined, Scope.close(this.#scope, exit), constVoid)
  }
}

/** As `Settings.jobLeaseMillis` and `jobLeaseRefreshMillis`. */
const leaseMillis = 15_000
const leaseRefreshMillis = 5_000
