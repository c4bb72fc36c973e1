/** Runs what is due by a domain's own rows, many at a time, without a step of the queue for each. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { errorType } from "../values/errorType.ts"

export interface Sweep<A, E, R> {
  /** What it is called in logs. */
  readonly name: string
  /**
   * Takes up to `limit` rows that are due and says when they are due again, in one statement, so that no
   * two processes take one row. By more than twice `deadlineMillis`: who gets no further than taking
   * them leaves them to the next that looks.
   */
  readonly claim: (limit: number) => Effect.Effect<ReadonlyArray<A>, E, R>
  /** Repeatable, like a step. What it fails or dies with is logged; the row is due again when it said. */
  readonly run: (row: A) => Effect.Effect<void, E, R>
  /** How many run at once, and are claimed at once. */
  readonly concurrency: number
  /** Milliseconds from one look that found few or none to the next. */
  readonly everyMillis: number
  /** Milliseconds one row may take. */
  readonly deadlineMillis: number
}

/** Sweeps until the scope closes; what runs then is interrupted. */
export const sweep = <A, E, R>({
  claim,
  concurrency,
  deadlineMillis,
  everyMillis,
  name,
  run
}: Sweep<A, E, R>): Effect.Effect<void, never, R | Scope.Scope> => {
  let pauseMillis = 0
  const next = Effect.suspend(() => Effect.delay(logged(claim(concurrency)), pauseMillis)).pipe(
    Effect.map((rows = []) => {
      pauseMillis = rows.length < concurrency ? everyMillis : 0
      return rows
    })
  )
  /** Undefined when it did not succeed. */
  const logged = <B>(effect: Effect.Effect<B, E, R>): Effect.Effect<B | undefined, never, R> =>
    Effect.timeout(effect, deadlineMillis).pipe(
      Effect.sandbox,
      Effect.catch((cause) => {
        const reason = errorType(cause)
        return Effect.as(
          Effect.logWarning(`${name} failed: ${reason}`, ...(reason === "Defect" ? [cause] : [])),
          undefined
        )
      })
    )
  return Stream.fromIterableEffectRepeat(next).pipe(
    Stream.mapEffect((row) => logged(Effect.suspend(() => run(row))), {
      concurrency,
      unordered: true
    }),
    Stream.runDrain,
    Effect.forkScoped,
    Effect.asVoid
  )
}
