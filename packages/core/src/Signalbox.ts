/** The door: makes a box, and says what a host can do with one. */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import type * as Digest from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as HttpClient from "effect/http/HttpClient"
import * as HttpMiddleware from "effect/http/HttpMiddleware"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Metric from "effect/Metric"
import type { Caller } from "./auth/Caller.ts"
import { Credentials } from "./byok/Credentials.ts"
import { Catalog, type CatalogInput } from "./catalog/Catalog.ts"
import type { CatalogError } from "./catalog/CatalogErrors.ts"
import type { Configuration } from "./catalog/Configuration.ts"
import { decide, explain } from "./decisions/decide.ts"
import type { Decided, DecideRequest } from "./decisions/decideTypes.ts"
import type { Health as Readiness } from "./http/api/OperationsApi.ts"
import { Drain } from "./http/Drain.ts"
import type { HealthSnapshot } from "./health/HealthSnapshot.ts"
import { draining, type ExpectedError } from "./http/errors/refusalOf.ts"
import { refusalOfCause, unavailableIn } from "./http/errors/refusalOfCause.ts"
import { metricsText } from "./http/metricsText.ts"
import { readiness } from "./http/readiness.ts"
import { match } from "./http/routes.ts"
import { type WebHandler, webHandler } from "./http/webHandler.ts"
import { layer, type Services } from "./layer.ts"
import { Ledger } from "./ledger/Ledger.ts"
import type { OutboundHttp } from "./outbound/OutboundHttp.ts"
import type { Options } from "./Options.ts"
import type { Question } from "./questions/Question.ts"
import type { Explanation } from "./routing/Explanation.ts"
import { Settings } from "./Settings.ts"
import { SignalboxError } from "./SignalboxError.ts"
import { AccountId, defaultAccountId } from "./values/AccountId.ts"
import * as NanoUsd from "./values/NanoUsd.ts"
import { Webhooks } from "./workspaces/Webhooks.ts"

/** A running model-routing service inside this process. Make one per process, close it at the end. */
export interface Signalbox {
  /** Answers a Decision in process; the types of the answers follow from the questions. */
  readonly decide: <const Q extends Readonly<Record<string, Question>>>(
    request: DecideRequest<Q>,
    options?: { readonly caller?: Caller; readonly signal?: AbortSignal }
  ) => Promise<Decided<Q>>
  /** Whether `path` (below the mount, query allowed) is one of ours; reads nothing of the request. */
  readonly match: (method: string, path: string) => boolean
  /**
   * The web-standard handler. `mount` is where the host serves it, such as `/ai`; what is not ours
   * gets a 404 envelope, so a host with other routes asks `match` first. On Node objects use an
   * adapter: it costs a third.
   */
  readonly fetch: WebHandler
  /** The plan a Decision would get, and why, without asking anybody. Give what it tells to repeat it. */
  readonly explain: (
    request: DecideRequest<Readonly<Record<string, Question>>>,
    options?: {
      readonly caller?: Caller
      readonly seed?: number
      readonly health?: HealthSnapshot
    }
  ) => Promise<Explanation>
  /** Readiness, and what is known of every endpoint: state, cause, next probe, percentiles, samples. */
  readonly health: () => Promise<Readiness>
  /**
   * Puts other upstreams, models or overlays in the place of those there are, whole or not at all;
   * requests under way keep what they began with. Resolves to the new version; rejects with a
   * `RangeError` that says what to mend.
   */
  readonly replace: (change: Partial<CatalogInput>) => Promise<number>
  /**
   * Reads the models' source again, as it is done now and again by itself. Resolves to the version that
   * is served then; rejects with a `RangeError` when the source fails or makes no sense, and nothing
   * changes.
   */
  readonly refresh: () => Promise<number>
  /**
   * Adds credits in USD (a decimal string); the first grant turns unlimited into limited. Rejects
   * with a `RangeError` for what is no amount or no account.
   */
  readonly grantCredits: (usd: string, account?: string) => Promise<void>
  /**
   * Seals customers' credentials and the signing secrets of webhooks under the current key that are
   * sealed under another one. Resolves to how many there were; at 0 nothing needs the other keys any
   * more.
   */
  readonly resealCredentials: () => Promise<number>
  /**
   * Refuses new requests with 503, waits for the running ones until the drain deadline, then
   * releases everything. Safe to call twice: both calls end when the box is closed.
   */
  readonly close: () => Promise<void>
  /** What is counted, in Prometheus' text format: for hosts that serve it themselves. */
  readonly metrics: () => Promise<string>
  /** The services, for adapters and Effect hosts. */
  readonly context: Context.Context<Services>
}

/**
 * Makes a box. `platform` brings the HTTP clients and the digest; `make` of `@signalbox/node` is this
 * function with Node's. Rejects with a `RangeError` that says what to mend when options are wrong.
 */
export const make = async (
  options: Options,
  platform: Layer.Layer<HttpClient.HttpClient | Digest.Digest | OutboundHttp>
): Promise<Signalbox> => {
  const runtime = ManagedRuntime.make(
    layer(options).pipe(
      Layer.provideMerge([
        // What one box counts is its own.
        Layer.sync(Metric.MetricRegistry, () => new Map()),
        // A request has a span already, and those of a server tell whole addresses and headers.
        Layer.succeed(HttpMiddleware.TracerDisabledWhen, () => true)
      ]),
      Layer.provide(platform)
    )
  )
  const context = await runtime.context()
  const drain = Context.get(context, Drain)
  const settings = Context.get(context, Settings)
  const metrics = Effect.runSync(Effect.provideContext(metricsText, context))
  const health = Effect.runSync(Effect.provideContext(readiness, context))

  /** Runs an operation as part of what `close` waits for. */
  const run = async <A>(
    effect: Effect.Effect<A, ExpectedError, Services>,
    signal?: AbortSignal
  ): Promise<A> => {
    const leave = drain.enter()
    if (leave === undefined) throw new SignalboxError(draining)
    try {
      const exit = await runtime.runPromiseExit(effect, signal === undefined ? {} : { signal })
      if (Exit.isSuccess(exit)) return exit.value
      throw await Effect.runPromise(
        Effect.provideContext(rejectionOf(exit.cause, signal, drain.isDraining()), context)
      )
    } finally {
      leave()
    }
  }

  const configure = (
    take: (catalog: Catalog["Service"]) => Effect.Effect<Configuration, CatalogError>
  ): Promise<number> =>
    run(
      Effect.flatMap(Catalog, (catalog) =>
        Effect.match(take(catalog), {
          onSuccess:
            ({ version }) =>
            () =>
              version,
          onFailure:
            ({ problem, source }) =>
            () => {
              throw new RangeError(`${source}: ${problem}`)
            }
        })
      )
    ).then((told) => told())

  const closing = async (): Promise<void> => {
    await runtime.runPromise(drain.drain(settings.drainDeadlineMillis))
    await runtime.dispose()
  }
  let closed: Promise<void> | undefined
  return {
    context,
    decide: (request, { caller, signal } = {}) => run(decide(request, caller), signal),
    match: (method, path) => match(method, path) !== undefined,
    fetch: webHandler(context),
    explain: (request, { caller, ...replay } = {}) => run(explain(request, caller, replay)),
    health: () => Effect.runPromise(health),
    metrics: () => Effect.runPromise(metrics),
    replace: (change) => configure((catalog) => catalog.replace(change)),
    refresh: () => configure((catalog) => catalog.refresh),
    grantCredits: async (usd, account) => {
      const granted = NanoUsd.parseUsd(usd)
      if (account === "") throw new RangeError("an account has an empty id; leave it out instead")
      const to = account === undefined ? defaultAccountId : AccountId.make(account)
      await run(Effect.flatMap(Ledger, (ledger) => ledger.grant(to, granted)))
    },
    resealCredentials: () =>
      run(
        Effect.gen(function* () {
          return (yield* (yield* Credentials).reseal) + (yield* (yield* Webhooks).reseal)
        })
      ),
    close: () => (closed ??= closing())
  }
}

/** What a call rejects with; a bug is logged, and told as on the wire. */
const rejectionOf = (
  cause: Cause.Cause<ExpectedError>,
  signal: AbortSignal | undefined,
  isDraining: boolean
): Effect.Effect<unknown> => {
  const failed = cause.reasons.find(Cause.isFailReason)
  if (failed !== undefined) return Effect.succeed(SignalboxError.of(failed.error))
  // An interruption has no words of its own: the caller's reason, or that the box is closing.
  if (signal?.aborted === true && Cause.hasInterruptsOnly(cause))
    return Effect.succeed(signal.reason)
  return Effect.map(
    refusalOfCause(cause, isDraining),
    (refusal) => new SignalboxError(refusal, unavailableIn(cause))
  )
}
