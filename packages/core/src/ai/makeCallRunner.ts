/** Runs the calls of the AI services: with the caller of the fiber, in the settings of the instance, until it drains. */
import type * as AiError from "effect/ai/AiError"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import type * as Scope from "effect/Scope"
import type { Caller } from "../tenants/auth/Caller.ts"
import { Callers, resolveCallerWith } from "../tenants/auth/Callers.ts"
import { Drain } from "../instance/Drain.ts"
import type { ExpectedError, ReportedError } from "../api/errors/errorTable.ts"
import { Draining } from "../api/errors/HttpErrors.ts"
import { pickLookedUp } from "../api/server/requestContext.ts"
import { CallRecorder } from "../api/inProcess/CallRecorder.ts"
import { CurrentCaller } from "./CurrentCaller.ts"
import { toAiError } from "./toAiError.ts"

/** The services that every call needs. */
export type CallServices = Callers | Drain

/** What each call gets besides its input. */
interface CallContext {
  readonly caller: Caller
  readonly observer: CallRecorder
  /** The errors of what outlives the call, such as its stream. */
  readonly withAiErrors: <A, R>(
    effect: Effect.Effect<A, AiError.AiError | ReportedError, R>
  ) => Effect.Effect<A, AiError.AiError, R>
}

/** Runs one call; it counts as running until the scope closes. */
export type CallRunner = <A>(
  method: string,
  call: (context: CallContext) => Effect.Effect<A, AiError.AiError | ExpectedError, Scope.Scope>
) => Effect.Effect<A, AiError.AiError, Scope.Scope>

/** `module` is named in errors. */
export const makeCallRunner = (module: string): Effect.Effect<CallRunner, never, CallServices> =>
  Effect.contextWith((context: Context.Context<CallServices>) => {
    const callers = Context.get(context, Callers)
    const drain = Context.get(context, Drain)
    // Does not copy the whole context: the span and the clock come from the fiber that calls.
    const own = pickLookedUp(context, Metric.MetricRegistry)
    const enter = Effect.acquireRelease(
      Effect.suspend(() => {
        const leave = drain.enter()
        return leave === undefined ? Effect.fail(new Draining()) : Effect.succeed(leave)
      }),
      (leave) => Effect.sync(leave)
    )
    return Effect.succeed<CallRunner>((method, call) =>
      Effect.suspend(() => {
        const observer = new CallRecorder()
        const toError = (error: AiError.AiError | ReportedError) =>
          toAiError(error, { module, method }, observer)
        // When the time for draining is up, the instance interrupts its side of a call.
        const withAiErrors: CallContext["withAiErrors"] = (effect) =>
          Effect.catchCause(effect, (cause) =>
            Effect.failCause(
              Cause.hasInterruptsOnly(cause) && drain.isDraining()
                ? Cause.fail(toError(new Draining()))
                : Cause.map(cause, toError)
            )
          )
        return Effect.all([enter, CurrentCaller]).pipe(
          Effect.flatMap(([, config]) => resolveCallerWith(callers, config)),
          Effect.flatMap((caller) =>
            Effect.provideContext(
              Effect.suspend(() => call({ caller, observer, withAiErrors })),
              own
            )
          ),
          withAiErrors
        )
      })
    )
  })
