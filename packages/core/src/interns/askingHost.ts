/** Asks the host of interns for something: in time, and so that whatever goes wrong is a failure that can be told. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import {
  type HostedIntern,
  type InternHost,
  InternHostFailure,
  InternHosting
} from "./InternHost.ts"
import type { Intern } from "./Intern.ts"
import { releasing } from "./releasing.ts"

interface Question<A> {
  /** What it is asked for, as it is told of in failures. */
  readonly what: string
  readonly deadlineMillis: number
  readonly ask: (host: InternHost, hosted: HostedIntern) => Effect.Effect<A, InternHostFailure>
}

export const askingHost = Effect.gen(function* () {
  const host = yield* InternHosting
  const release = yield* releasing

  return Effect.fnUntraced(function* <A>(
    intern: Intern,
    { ask, deadlineMillis, what }: Question<A>
  ): Effect.fn.Return<A, InternHostFailure> {
    const { blank, hosted, shown } = release(intern)
    const asked = yield* Effect.suspend(() => ask(host, hosted)).pipe(
      Effect.timeoutOrElse({
        duration: deadlineMillis,
        orElse: () =>
          Effect.fail(
            new InternHostFailure({ problem: `it took longer than ${deadlineMillis} ms` })
          )
      }),
      // What interrupts itself has failed; an interruption from outside goes past this.
      Effect.exit
    )
    if (Exit.isSuccess(asked)) return asked.value
    const failure = asked.cause.reasons.find(Cause.isFailReason)
    if (failure !== undefined) {
      const { isFinal = false, problem } = failure.error
      return yield* new InternHostFailure({ isFinal, problem: `${what}: ${shown(problem)}` })
    }
    yield* Effect.logError(
      `the host of interns ${host.slug} has a fault: ${what}`,
      blank(asked.cause)
    )
    return yield* new InternHostFailure({ problem: `${what}: it failed unexpectedly` })
  })
})
