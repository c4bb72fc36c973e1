/** Calls the host of interns with a timeout, and turns everything that goes wrong into a failure without secrets. */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import {
  type HostedIntern,
  type InternHost,
  InternHostFailure,
  InternHostService
} from "./InternHost.ts"
import { Vaults } from "../../vaults/Vaults.ts"
import type { Intern } from "../Intern.ts"
import { makeInternSecretReleaser } from "./InternSecretReleaser.ts"

interface HostCall<A> {
  /** Names the call in failures. */
  readonly operation: string
  readonly timeoutMillis: number
  readonly invoke: (host: InternHost, hosted: HostedIntern) => Effect.Effect<A, InternHostFailure>
}

/** Calls the host of interns. */
export class InternHostClient extends Context.Service<
  InternHostClient,
  {
    readonly call: <A>(intern: Intern, call: HostCall<A>) => Effect.Effect<A, InternHostFailure>
  }
>()("@signalbox/core/domains/interns/host/InternHostClient") {
  static readonly layer = Layer.effect(
    InternHostClient,
    Effect.gen(function* () {
      const host = yield* InternHostService
      const vaults = yield* Vaults

      return {
        call: Effect.fnUntraced(function* <A>(
          intern: Intern,
          { invoke, timeoutMillis, operation }: HostCall<A>
        ): Effect.fn.Return<A, InternHostFailure> {
          const {
            redactFailure,
            hosted: hostedIntern,
            toPublicMessage
          } = makeInternSecretReleaser(vaults, intern)
          const exit = yield* Effect.suspend(() => invoke(host, hostedIntern)).pipe(
            Effect.timeoutOrElse({
              duration: timeoutMillis,
              orElse: () =>
                Effect.fail(
                  new InternHostFailure({ problem: `it took longer than ${timeoutMillis} ms` })
                )
            }),
            // An effect that interrupts itself has failed; an interruption from outside is not caught here.
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
      }
    })
  )
}
