/** Runs foreign catalog code with a timeout; its defects become typed errors. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { CatalogUnavailable } from "../CatalogErrors.ts"

/**
 * Defects and interruptions inside `effect` are logged and become `CatalogUnavailable`. Interrupting this effect
 * interrupts it without waiting.
 */
export const containSource = <A, R>(
  effect: Effect.Effect<A, CatalogUnavailable, R>,
  source: string,
  timeoutMillis: number
): Effect.Effect<A, CatalogUnavailable, R> =>
  Effect.flatMap(Effect.forkChild(effect), (fiber) =>
    Fiber.await(fiber).pipe(
      Effect.timeoutOrElse({
        duration: timeoutMillis,
        orElse: () =>
          Effect.fail(
            new CatalogUnavailable({ source, problem: `it took longer than ${timeoutMillis} ms` })
          )
      }),
      Effect.onExit(() => Effect.sync(() => fiber.interruptUnsafe())),
      Effect.flatMap((exit) =>
        Exit.isSuccess(exit) ? Effect.succeed(exit.value) : toCatalogUnavailable(exit.cause, source)
      )
    )
  )

const toCatalogUnavailable = (
  cause: Cause.Cause<CatalogUnavailable>,
  source: string
): Effect.Effect<never, CatalogUnavailable> => {
  const failed = cause.reasons.find(Cause.isFailReason)
  return failed === undefined
    ? Effect.andThen(
        Effect.logError(`${source} broke`, cause),
        Effect.fail(new CatalogUnavailable({ source, problem: "it broke; the log says how" }))
      )
    : Effect.fail(failed.error)
}
