/** Asks the host of interns for something: in time, and so that whatever goes wrong is a failure that can be told. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import {
  type HostedIntern,
  type InternHost,
  InternHostFailure,
  InternHostService
} from "./InternHost.ts"
import type { Intern } from "../Intern.ts"
import { makeInternSecretReleaser } from "./InternSecretReleaser.ts"

interface HostCall<A> {
  /** What it is asked for, as it is told of in failures. */
  readonly operation: string
  readonly timeoutMillis: number
  readonly invoke: (host: InternHost, hosted: HostedIntern) => Effect.Effect<A, InternHostFailure>
}

export const makeInternHostClient = Effect.gen(function* () {
  const host = yield* InternHostService
  const release = yield* makeInternSecretReleaser

  return Effect.fnUntraced(function* <A>(
    intern: Intern,
    { invoke, timeoutMillis, operation }: HostCall<A>
  ): Effect.fn.Return<A, InternHostFailure> {
    const { redactFailure, hosted: hostedIntern, toPublicMessage } = release(intern)
    const exit = yield* Effect.suspend(() => invoke(host, hostedIntern)).pipe(
      Effect.timeoutOrElse({
        duration: timeoutMillis,
        orElse: () =>
          Effect.fail(new InternHostFailure({ problem: `it took longer than ${timeoutMillis} ms` }))
      }),
      // What interrupts itself has failed; an interruption from outside goes past this.
      Effect.exit
    )
    if (Exit.isSuccess(exit)) return exit.value
    const failure = exit.cause.reasons.find(Cause.isFailReason)
    if (failure !== undefined) {
      const { isFinal = false, problem } = failure.error
      return yield* new InternHostFailure({
        isFinal,
        problem: `${operation}: ${toPublicMessage(problem)}`
      })
    }
    yield* Effect.logError(
      `the host of interns ${host.slug} has a fault: ${operation}`,
      redactFailure(exit.cause)
    )
    return yield* new InternHostFailure({ problem: `${operation}: it failed unexpectedly` })
  })
})
