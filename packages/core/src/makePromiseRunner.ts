/** Runs calls in process as promises: `close` waits for them, and their errors are those of the HTTP API. */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { constVoid } from "effect/Function"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Tracer from "effect/Tracer"
import type { CallerConfig } from "./tenants/auth/CallerConfig.ts"
import { findCallOptionsProblem } from "./tenants/auth/findCallOptionsProblem.ts"
import { Draining } from "./api/errors/HttpErrors.ts"
import { toErrorResponse, toErrorResponseFromCause } from "./api/errors/toErrorResponse.ts"
import { App } from "./api/server/App.ts"
import { Drain } from "./instance/Drain.ts"
import type { ExpectedError } from "./api/errors/errorTable.ts"
import { findStoreUnavailable } from "./values/errors/StoreUnavailable.ts"
import type { PromiseOperations } from "./api/inProcess/Calls.ts"
import { Operations } from "./api/inProcess/Operations.ts"
import { RouteReporter } from "./api/inProcess/CallRecorder.ts"
import type { RequestServices } from "./api/server/requestContext.ts"
import { iterateStream } from "./iterateStream.ts"
import type { Services } from "./layer.ts"
import { toCacheWish } from "./routing/cache/CacheWish.ts"
import type { RouteObserver } from "./routing/RouteQuery.ts"
import type { RoutedCallOptions } from "./Signalbox.ts"
import { SignalboxError } from "./SignalboxError.ts"
import { evaluate, isExit } from "./values/eager.ts"

export const makePromiseRunner = (
  context: Context.Context<Services>,
  requestContext: Context.Context<RequestServices>
) => {
  const app = Context.get(context, App)
  const drain = Context.get(context, Drain)
  const operations = Context.get(context, Operations)
  const runPromiseExit = Effect.runPromiseExitWith(requestContext)
  const isTraced = Context.get(requestContext, Tracer.Tracer) !== Tracer.nativeTracer
  const interruptOnClose = (fiber: Fiber.Fiber<unknown, unknown>): void =>
    void Fiber.runIn(fiber, app.scope)

  const runOrThrow = async <A>(
    effect: Effect.Effect<A, ExpectedError, RequestServices>,
    signal?: AbortSignal
  ): Promise<A> => {
    const exit = await runPromiseExit(effect, {
      onFiberStart: interruptOnClose,
      ...(signal === undefined ? undefined : { signal })
    })
    if (Exit.isSuccess(exit)) return exit.value
    throw await Effect.runPromise(
      Effect.provideContext(toRejection(exit.cause, signal, drain.isDraining()), context)
    )
  }

  /** Begins work that `close` waits for. The result ends it. */
  const enterOrThrow = (): (() => void) => {
    const leave = drain.enter()
    if (leave === undefined) throw new SignalboxError(toErrorResponse(new Draining()))
    return leave
  }

  /** Runs a call that `close` waits for; one that has its result at once needs no fiber. */
  const runCall = async <A>(
    options: CallOptions | undefined,
    begin: () => Effect.Effect<A, ExpectedError, RequestServices>
  ): Promise<A> => {
    checkCallOptions(options)
    const signal = options?.signal
    signal?.throwIfAborted()
    const leave = enterOrThrow()
    try {
      // Spans belong to fibers.
      const effect = isTraced ? Effect.suspend(begin) : evaluate(begin)
      return isExit(effect) && Exit.isSuccess(effect)
        ? effect.value
        : await runOrThrow(effect, signal)
    } finally {
      leave()
    }
  }

  /** Runs a call that is routed, and reports how. */
  const runRouted = async <A>(
    options: RoutedCallOptions | undefined,
    begin: (observer: RouteObserver | undefined) => Effect.Effect<A, ExpectedError, RequestServices>
  ): Promise<A> => {
    const observer = makeObserver(options)
    try {
      return await runCall(options, () => begin(observer))
    } finally {
      observer?.report?.()
    }
  }

  /** A streamed call runs until its iteration ends. */
  const iterate = async function* <A>(
    options: RoutedCallOptions | undefined,
    opening: (
      observer: RouteObserver | undefined
    ) => Effect.Effect<
      Stream.Stream<A, ExpectedError>,
      ExpectedError,
      RequestServices | Scope.Scope
    >
  ): AsyncGenerator<A, void> {
    checkCallOptions(options)
    options?.signal?.throwIfAborted()
    const leave = enterOrThrow()
    const scope = Effect.runSync(Scope.fork(app.scope))
    const observer = makeObserver(options)
    const opened = opening(observer)
    try {
      yield* iterateStream(
        (effect) => runOrThrow(Scope.provide(effect, scope), options?.signal),
        observer?.report === undefined
          ? opened
          : Effect.tap(opened, () => Effect.sync(() => observer.report?.()))
      )
    } finally {
      await Effect.runPromise(Scope.close(scope, Exit.void))
      leave()
      observer?.report?.()
    }
  }

  /** A download runs until the last byte is read. */
  const download: PromiseOperations["videos"]["download"] = async (input, options) => {
    checkCallOptions(options)
    options?.signal?.throwIfAborted()
    const leave = enterOrThrow()
    const scope = Effect.runSync(Scope.fork(app.scope))
    Effect.runSync(Scope.addFinalizer(scope, Effect.sync(leave)))
    const closeScope = Scope.close(scope, Exit.void)
    const { bytes, contentType, length } = await runOrThrow(
      operations.videos.download(input, options).pipe(
        Scope.provide(scope),
        Effect.onError(() => closeScope)
      ),
      options?.signal
    )
    const body = bytes.pipe(
      Stream.onStart(Effect.withFiber((fiber) => Effect.sync(() => Fiber.runIn(fiber, scope)))),
      Stream.ensuring(closeScope)
    )
    return { contentType, length, body: Stream.toReadableStream(body) }
  }

  return { download, iterate, runCall, runRouted }
}

interface CallOptions {
  readonly caller?: CallerConfig
  readonly signal?: AbortSignal
}

/** Called first, so that invalid options are neither ignored nor reported as a bug. */
const checkCallOptions = (options: CallOptions | undefined): void => {
  const problem = findCallOptionsProblem(options)
  if (problem !== undefined) throw SignalboxError.of(problem)
}

interface CallObserver extends RouteObserver {
  /** Absent: how the call was routed is not reported, so that nothing is collected for it. */
  readonly report?: () => void
}

/** Undefined without `onRoute` and `cache`; `checkCallOptions` rejects values of other types. */
const makeObserver = (options: RoutedCallOptions | undefined): CallObserver | undefined => {
  const cache = options?.cache
  const onRoute = options?.onRoute
  if (typeof onRoute === "function") return new RouteReporter(onRoute, cache)
  if (cache === undefined) return undefined
  return { cache: toCacheWish(cache), onPlan: constVoid, onAttempt: constVoid }
}

/** The error that a call rejects with. A bug is logged, and the error has the HTTP API's message for bugs. */
const toRejection = (
  cause: Cause.Cause<ExpectedError>,
  signal: AbortSignal | undefined,
  isDraining: boolean
): Effect.Effect<unknown> => {
  const failed = cause.reasons.find(Cause.isFailReason)
  if (failed !== undefined) return Effect.succeed(SignalboxError.of(failed.error))
  // An interruption is reported with the caller's reason, or as the instance closing.
  if (signal?.aborted === true && Cause.hasInterruptsOnly(cause))
    return Effect.succeed(signal.reason)
  return Effect.map(
    toErrorResponseFromCause(cause, isDraining),
    (refusal) => new SignalboxError(refusal, findStoreUnavailable(cause))
  )
}
