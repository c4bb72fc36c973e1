/** Whom calls of the AI services are for. */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type * as AiError from "effect/ai/AiError"
import { Draining } from "../api/errors/HttpErrors.ts"
import type { ExpectedError, ReportedError } from "../api/errors/errorTable.ts"
import { CallRecorder } from "../api/inProcess/CallRecorder.ts"
import { Admission } from "../api/server/Admission.ts"
import { pickLookedUp } from "../api/server/requestContext.ts"
import { Drain } from "../instance/Drain.ts"
import type { Caller } from "../tenants/auth/Caller.ts"
import type { CallerConfig } from "../tenants/auth/CallerConfig.ts"
import { Callers, resolveCallerWith } from "../tenants/auth/Callers.ts"
import { toAiError } from "./toAiError.ts"

/**
 * The caller of every call within: whose keys, limits, guardrails and records apply. Default: the application itself. Of
 * `authenticateKey`, it is the owner of an API key.
 *
 * ```ts
 * LanguageModel.generateText({ prompt }).pipe(Effect.provideService(CurrentCaller, { account: "acme" }))
 * ```
 */
export const CurrentCaller = Context.Reference<CallerConfig | undefined>(
  "@signalbox/core/ai/CurrentCaller",
  { defaultValue: () => undefined }
)

/**
 * The caller of `key`, for `CurrentCaller`. Counts as one request in its rate limit. Fails with an `AuthenticationError`
 * when no enabled key is that, and with a `RateLimitError`. A host that authenticates by itself is asked first.
 */
export const authenticateKey = (
  key: Redacted.Redacted
): Effect.Effect<Caller, AiError.AiError, Admission> =>
  Admission.use(({ admit }) =>
    Effect.suspend(() =>
      admit({
        method: "POST",
        url: "/api/v1/chat/completions",
        headers: { authorization: `Bearer ${Redacted.value(key)}` }
      })
    )
  ).pipe(
    Effect.mapError((error) => toAiError(error, { module: "Signalbox", method: "authenticateKey" }))
  )

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
type CallRunner = <A>(
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
