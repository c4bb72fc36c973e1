/** Makes an instance and declares its public interface. */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import type * as Digest from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Tracer from "effect/Tracer"
import type { CallerConfig } from "./tenants/auth/CallerConfig.ts"
import { resolveCaller } from "./tenants/auth/Callers.ts"
import { findCallOptionsProblem } from "./tenants/auth/AuthenticationRequest.ts"
import { Credentials } from "./tenants/byok/Credentials.ts"
import { Catalog, type CatalogInput } from "./engine/catalog/Catalog.ts"
import type { CatalogError } from "./engine/catalog/CatalogErrors.ts"
import type { Configuration } from "./engine/catalog/Configuration.ts"
import type { ChatChunk } from "./domains/chat/stream/ChatChunk.ts"
import type { ChatCompletion } from "./domains/chat/ChatCompletion.ts"
import type { ChatRequest } from "./domains/chat/request/ChatRequest.ts"
import { makeChat } from "./domains/chat/chat.ts"
import { type AnswerFields, makeAnswer } from "./domains/chat/answer.ts"
import type { AnswerPiece } from "./domains/chat/stream/AnswerPiece.ts"
import type { ChatAnswer } from "./domains/chat/ChatAnswer.ts"
import type { Conversation } from "./conversation/Conversation.ts"
import { flattenExtra } from "./domains/chat/request/flattenExtra.ts"
import type { Message } from "./domains/messages/Message.ts"
import type { MessageEvent } from "./domains/messages/MessageEvent.ts"
import type { MessagesRequest } from "./domains/messages/MessagesRequest.ts"
import { makeMessages } from "./domains/messages/messages.ts"
import { makeResponses } from "./domains/responses/responses.ts"
import type { ResponseObject } from "./domains/responses/ResponseObject.ts"
import type { ResponsesEvent } from "./domains/responses/ResponsesEvent.ts"
import type { ResponsesRequest } from "./domains/responses/ResponsesRequest.ts"
import { makeDecide } from "./domains/decisions/decide.ts"
import type { DecideRequest, DecideResult } from "./domains/decisions/Decision.ts"
import { checkCatalogChange, checkOptions } from "./checkOptions.ts"
import { makeEmbed } from "./domains/embeddings/embed.ts"
import type { EmbeddingList } from "./domains/embeddings/EmbeddingList.ts"
import type { EmbeddingRequest } from "./domains/embeddings/request/EmbeddingRequest.ts"
import { Draining } from "./api/errors/HttpErrors.ts"
import { toErrorResponse } from "./api/errors/toErrorResponse.ts"
import { App } from "./api/server/App.ts"
import type { ReadinessResponse as Readiness } from "./api/reports/ReportsApi.ts"
import { Drain } from "./instance/Drain.ts"
import type { HealthSnapshot } from "./engine/health/HealthSnapshot.ts"
import type { ExpectedError } from "./api/errors/errorTable.ts"
import { toErrorResponseFromCause } from "./api/errors/toErrorResponseFromCause.ts"
import { findStoreUnavailable } from "./values/errors/StoreUnavailable.ts"
import { makeDryRun } from "./api/reports/DryRun.ts"
import { makeMetricsText } from "./api/reports/makeMetricsText.ts"
import { makeReadinessReport } from "./api/reports/makeReadinessReport.ts"
import type { PromiseOperations, SignalOptions } from "./api/inProcess/OperationFaces.ts"
import { Operations, toPromiseOperations } from "./api/inProcess/Operations.ts"
import { type RouteReport, RouteReporter } from "./api/inProcess/CallRecorder.ts"
import { type RequestServices, toRequestContext } from "./api/server/requestContext.ts"
import { isServedPath } from "./api/server/routeTable.ts"
import { type WebHandler, makeWebHandler } from "./api/server/makeWebHandler.ts"
import { iterateStream } from "./iterateStream.ts"
import { layer, type Services } from "./layer.ts"
import { Ledger } from "./engine/ledger/Ledger.ts"
import type { OutboundHttp } from "./engine/outbound/OutboundHttp.ts"
import type { Options } from "./Options.ts"
import type { Question } from "./questions/Question.ts"
import type { Ranking } from "./domains/rerank/Ranking.ts"
import { makeRerank } from "./domains/rerank/rerank.ts"
import type { RerankRequest } from "./domains/rerank/RerankRequest.ts"
import type { Explanation } from "./routing/Explanation.ts"
import type { RouteObserver } from "./routing/RouteQuery.ts"
import { Settings } from "./instance/Settings.ts"
import { SignalboxError } from "./SignalboxError.ts"
import type { VectorEncoding } from "./engine/upstreams/EmbeddingCapability.ts"
import type { RecordedRequest } from "./domains/simulator/recording/RecordedRequest.ts"
import { evaluate, isExit } from "./values/eager.ts"
import { AccountId, defaultAccountId } from "./values/ids/Ids.ts"
import { OptionFailed } from "./values/errors/RequestErrors.ts"
import { omitUndefined } from "./values/ownFields.ts"
import * as NanoUsd from "./values/usage/NanoUsd.ts"
import type { VideoRequest } from "./domains/videos/request/VideoRequest.ts"
import { Vaults } from "./domains/vaults/Vaults.ts"
import { Webhooks } from "./tenants/workspaces/Webhooks.ts"

/** Who makes a call in process, what cancels it, and who learns how it was routed. */
interface RoutedCallOptions {
  /** Default: the application itself. */
  readonly caller?: CallerConfig
  readonly signal?: AbortSignal
  /**
   * Called once before the call returns or throws, and for a stream also when its answer begins, with what is known by
   * then. If the function throws, the call rejects with its error.
   */
  readonly onRoute?: (report: RouteReport) => void
}

/** A running model-routing service inside this process. Make one per process, close it at the end. */
export interface Signalbox extends Omit<PromiseOperations, "calibration"> {
  /** Answers a Decision in process. The types of the answers follow from the questions. */
  readonly decide: <const Q extends Readonly<Record<string, Question>>>(
    request: DecideRequest<Q>,
    options?: RoutedCallOptions
  ) => Promise<DecideResult<Q>>
  /**
   * Labels answers of a Decision that was made with `calibration`, by the names of its questions: true or false, a label,
   * or a level. Labelling again replaces.
   */
  readonly label: PromiseOperations["calibration"]["label"]
  /**
   * Reports how well the answers of an account are calibrated: `signalbox.calibration({ model })`. Its members are the
   * operations of the group, such as `signalbox.calibration.refit()`.
   */
  readonly calibration: PromiseOperations["calibration"]["get"] & PromiseOperations["calibration"]
  /** Answers a chat in process, in one piece. Parameters of a provider go into `extra`. */
  readonly chat: (request: ChatRequest, options?: RoutedCallOptions) => Promise<ChatCompletion>
  /**
   * Streams a chat in process; the last chunk has the usage. The call begins with the iteration. It can be iterated
   * once, and leaving the loop ends the call at the provider. Throws a `SignalboxError` when the answer breaks off.
   */
  readonly streamChat: (
    request: ChatRequest,
    options?: RoutedCallOptions
  ) => AsyncIterable<ChatChunk>
  /**
   * Answers a conversation in process, in one piece. The conversation has the neutral form, for adapters of other
   * libraries. `fields` are the fields of a chat request that the conversation cannot hold, checked as over HTTP.
   */
  readonly answer: (
    conversation: Conversation,
    fields: AnswerFields,
    options?: RoutedCallOptions
  ) => Promise<ChatAnswer>
  /**
   * Like `answer`, in pieces, from `start` to `end`. The call begins with the iteration. It can be iterated once, and leaving
   * the loop ends the call at the provider. Throws a `SignalboxError` when the answer breaks off.
   */
  readonly streamAnswer: (
    conversation: Conversation,
    fields: AnswerFields,
    options?: RoutedCallOptions
  ) => AsyncIterable<AnswerPiece>
  /**
   * Makes a vector of each input in process, in their order: numbers, or text with `encoding_format: "base64"`. Only
   * endpoints of the requested model are tried.
   */
  readonly embed: <const Encoding extends VectorEncoding = "float">(
    request: EmbeddingRequest<Encoding>,
    options?: RoutedCallOptions
  ) => Promise<EmbeddingList<Encoding>>
  /** Ranks documents by relevance in process, best first. Only endpoints of the requested model are tried. */
  readonly rerank: (request: RerankRequest, options?: RoutedCallOptions) => Promise<Ranking>
  /**
   * Answers a request of Anthropic's Messages API in process, in one piece, at a model of any provider. `betas` are for
   * providers with this API; further fields of it go into `extra`.
   */
  readonly messages: (
    request: MessagesRequest,
    options?: RoutedCallOptions & { readonly betas?: ReadonlyArray<string> }
  ) => Promise<Message>
  /**
   * Streams a message in process, from `message_start` to `message_stop`; `message_delta` has the usage. The call begins
   * with the iteration. It can be iterated once, and leaving the loop ends the call at the provider. Throws a
   * `SignalboxError` when the answer breaks off.
   */
  readonly streamMessages: (
    request: MessagesRequest,
    options?: RoutedCallOptions & { readonly betas?: ReadonlyArray<string> }
  ) => AsyncIterable<MessageEvent>
  /**
   * Answers a request of OpenAI's Responses API in process, in one piece, at a model of any provider. Nothing is stored.
   * Parameters of a provider go into `extra`.
   */
  readonly responses: (
    request: ResponsesRequest,
    options?: RoutedCallOptions
  ) => Promise<ResponseObject>
  /**
   * Streams a response in process, from `response.created` to `response.completed` or `response.incomplete`, which has
   * the whole response and its usage. The call begins with the iteration. It can be iterated once, and leaving the loop
   * ends the call at the provider. Throws a `SignalboxError` when the answer breaks off.
   */
  readonly streamResponses: (
    request: ResponsesRequest,
    options?: RoutedCallOptions
  ) => AsyncIterable<ResponsesEvent>
  /**
   * Whether the instance answers `path` (below the mount; a query is allowed): everything below `/api/v1` and
   * `/api/alpha`, even where no operation exists. Does not touch the request.
   */
  readonly match: (method: string, path: string) => boolean
  /**
   * The handler of web-standard requests. `mount` is where the host serves it, such as `/ai`. Paths that the
   * instance does not serve get a 404 envelope, so a host with other routes asks `match` first. On Node an adapter is
   * faster.
   */
  readonly fetch: WebHandler
  /**
   * The plan that a request would get, with reasons, without calling a provider. Pass the `seed`, the `health` and
   * the `affinity` of an explanation to repeat it.
   */
  readonly explain: (
    request:
      | DecideRequest<Readonly<Record<string, Question>>>
      | ChatRequest
      | EmbeddingRequest
      | RerankRequest
      | MessagesRequest
      | ResponsesRequest
      | VideoRequest,
    options?: {
      readonly caller?: CallerConfig
      readonly seed?: number
      readonly health?: HealthSnapshot
      readonly affinity?: Explanation["affinity"]
    }
  ) => Promise<Explanation>
  /**
   * The traffic of all accounts from `since` on (default: a day ago), in the order of time, for `simulate` of
   * `@signalbox/core/simulator`: times, lengths and outcomes, no content. Reads page by page. Throws a `SignalboxError`.
   */
  readonly recording: (
    since?: Date,
    options?: { readonly signal?: AbortSignal }
  ) => AsyncIterable<RecordedRequest>
  /** Readiness, and the health of every endpoint: breaker state and cause, next trial, percentiles, samples. */
  readonly health: () => Promise<Readiness>
  /**
   * Replaces upstreams, models or overlays, all or nothing. Running requests keep the configuration they began
   * with. Resolves to the new version. Rejects with a `RangeError` that says what to correct.
   */
  readonly replace: (change: Partial<CatalogInput>) => Promise<number>
  /**
   * Reads the source of the models again, outside of its schedule. Resolves to the version that is served then.
   * Rejects with a `RangeError`, and changes nothing, when the source fails or is invalid.
   */
  readonly refresh: () => Promise<number>
  /**
   * Adds credits to an account, in USD as a decimal string. An account without credits is unlimited; the first grant
   * limits it. Rejects with a `RangeError` when the amount or the account is invalid.
   */
  readonly grantCredits: (usd: string, account?: string) => Promise<void>
  /**
   * Reseals customer credentials, webhook signing secrets and vault secrets under the current sealing key. Resolves
   * to how many were sealed under another key. At 0 the other keys are no longer needed.
   */
  readonly resealCredentials: () => Promise<number>
  /**
   * Makes readiness (`GET /api/v1/signalbox/ready`) answer 503 from now on; other requests are served as before. Call
   * it when a shutdown begins, wait until the load balancer has noticed, then stop listening and `close`.
   */
  readonly drain: () => void
  /**
   * Refuses new requests with 503, waits for running ones until `settings.drainTimeoutMillis`, then releases
   * everything. Safe to call twice: both calls end when the instance is closed.
   */
  readonly close: () => Promise<void>
  /** The metrics in Prometheus' text format, for hosts that serve them themselves. */
  readonly metrics: () => Promise<string>
  /** The services, for adapters and Effect hosts. */
  readonly context: Context.Context<Services>
}

/**
 * Makes an instance. `platform` brings the HTTP clients and the digest; `make` of `@signalbox/node` is this function
 * with Node's. Rejects with a `RangeError` that says what to correct when options are invalid, and with a
 * `SignalboxError` whose cause is `OptionFailed` when an effect or a layer of the options fails.
 */
export const make = async (
  options: Options,
  platform: Layer.Layer<HttpClient.HttpClient | Digest.Digest | OutboundHttp>
): Promise<Signalbox> => {
  checkOptions(options)
  const instanceScope = Scope.makeUnsafe()
  const release = (): Promise<void> => Effect.runPromise(Scope.close(instanceScope, Exit.void))
  const services = layer(options).pipe(
    Layer.orDie,
    // Each instance counts for itself.
    Layer.provideMerge(Layer.sync(Metric.MetricRegistry, () => new Map())),
    Layer.provide(platform)
  )
  const context = await Effect.runPromise(Layer.buildWithScope(services, instanceScope)).catch(
    async (problem: unknown) => {
      await release()
      throw problem instanceof OptionFailed ? SignalboxError.of(problem) : problem
    }
  )
  const app = Context.get(context, App)
  const drain = Context.get(context, Drain)
  const operations = Context.get(context, Operations)
  const settings = Context.get(context, Settings)
  const metrics = Effect.runSync(Effect.provideContext(makeMetricsText, context))
  const health = Effect.runSync(Effect.provideContext(makeReadinessReport, context))
  const explain = Effect.runSync(Effect.provideContext(makeDryRun, context))

  const requestContext = toRequestContext(context)
  const runPromiseExit = Effect.runPromiseExitWith(requestContext)
  const decide = makeDecide(requestContext)
  const chat = makeChat(requestContext)
  const answer = makeAnswer(requestContext)
  const embed = makeEmbed(context)
  const rerank = makeRerank(context)
  const messages = makeMessages(requestContext)
  const responses = makeResponses(requestContext)
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

  /** Runs a call that is routed, and reports how. */
  const runRouted = async <A>(
    options: RoutedCallOptions | undefined,
    begin: (observer: RouteObserver | undefined) => Effect.Effect<A, ExpectedError, RequestServices>
  ): Promise<A> => {
    const reporter = makeReporter(options)
    try {
      return await runCall(options, () => begin(reporter))
    } finally {
      reporter?.report()
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
    const reporter = makeReporter(options)
    const opened = opening(reporter)
    try {
      yield* iterateStream(
        (effect) => runOrThrow(Scope.provide(effect, scope), options?.signal),
        reporter === undefined
          ? opened
          : Effect.tap(opened, () => Effect.sync(() => reporter.report()))
      )
    } finally {
      await Effect.runPromise(Scope.close(scope, Exit.void))
      leave()
      reporter?.report()
    }
  }

  /** Runs an effect with services that requests do not look up. */
  const runManagement = <A>(effect: Effect.Effect<A, ExpectedError, Services>): Promise<A> =>
    runCall(undefined, () => Effect.provideContext(effect, context))

  const configure = (
    take: (catalog: Catalog["Service"]) => Effect.Effect<Configuration, CatalogError>
  ): Promise<number> =>
    runManagement(
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
    ).then((settle) => settle())

  const closeInstance = async (): Promise<void> => {
    await Effect.runPromise(
      Effect.provideContext(drain.drain(settings.drainTimeoutMillis), context)
    )
    await release()
  }
  let closed: Promise<void> | undefined
  const promises = toPromiseOperations(operations, runCall)

  /** A page at a time: nothing else is kept. */
  const readRecording = async function* (
    since: Date | undefined,
    options: SignalOptions | undefined
  ): AsyncGenerator<RecordedRequest, void> {
    let after: string | undefined
    do {
      const page: Awaited<ReturnType<PromiseOperations["recordings"]["list"]>> =
        await promises.recordings.list(
          {
            limit: 1_000,
            ...omitUndefined({ since: since?.toISOString(), starting_after: after })
          },
          options
        )
      yield* page.data
      after = page.next_cursor
    } while (after !== undefined)
  }
  return {
    ...promises,
    videos: { ...promises.videos, download },
    live: {
      ...promises.live,
      watchEndpoints: (input, options) =>
        iterate(options, () => operations.live.watchEndpoints(input, options))
    },
    interns: {
      ...promises.interns,
      chat: (input, options) => iterate(options, () => operations.interns.chat(input, options))
    },
    context,
    label: promises.calibration.label,
    calibration: Object.assign(
      (...input: Parameters<typeof promises.calibration.get>) => promises.calibration.get(...input),
      promises.calibration
    ),
    decide: (request, options) =>
      runRouted(options, (observer) => decide(request, options?.caller, observer)),
    chat: (request, options) =>
      runRouted(options, (observer) => chat.complete(request, options?.caller, observer)),
    streamChat: (request, options) =>
      iterate(options, (observer) =>
        Effect.map(chat.stream(request, options?.caller, observer), ({ chunks }) => chunks)
      ),
    answer: (conversation, fields, options) =>
      runRouted(options, (observer) =>
        answer.complete(conversation, fields, options?.caller, observer)
      ),
    streamAnswer: (conversation, fields, options) =>
      iterate(options, (observer) =>
        answer.stream(conversation, fields, options?.caller, observer)
      ),
    embed: (request, options) =>
      runRouted(options, (observer) => embed(request, options?.caller, observer)),
    rerank: (request, options) =>
      runRouted(options, (observer) => rerank(request, options?.caller, observer)),
    messages: (request, options) =>
      runRouted(options, (observer) => messages.complete(request, options, observer)),
    streamMessages: (request, options) =>
      iterate(options, (observer) => messages.stream(request, options, observer)),
    responses: (request, options) =>
      runRouted(options, (observer) => responses.complete(request, options?.caller, observer)),
    streamResponses: (request, options) =>
      iterate(options, (observer) => responses.stream(request, options?.caller, observer)),
    match: isServedPath,
    fetch: makeWebHandler(context),
    explain: (request, options) =>
      runCall(options, () =>
        Effect.flatMap(resolveCaller(options?.caller), (caller) =>
          Effect.flatMap(flattenExtra(request), (body) => explain(caller, body, options ?? {}))
        )
      ),
    recording: readRecording,
    health: () => Effect.runPromise(health),
    metrics: () => Effect.runPromise(metrics),
    replace: async (change) => {
      checkCatalogChange(change)
      return configure((catalog) => catalog.replace(change))
    },
    refresh: () => configure((catalog) => catalog.refresh),
    grantCredits: async (usd, account) => {
      const granted = NanoUsd.parseUsd(usd)
      if (account === "") throw new RangeError("an account has an empty id; leave it out instead")
      if (!["string", "undefined"].includes(typeof account)) {
        throw new RangeError("an account is no string; give its id")
      }
      const to = account === undefined ? defaultAccountId : AccountId.make(account)
      await runManagement(Effect.flatMap(Ledger, (ledger) => ledger.grant(to, granted)))
    },
    resealCredentials: () =>
      runManagement(
        Effect.gen(function* () {
          return (
            (yield* (yield* Credentials).reseal) +
            (yield* (yield* Webhooks).reseal) +
            (yield* (yield* Vaults).reseal)
          )
        })
      ),
    drain: drain.markUnready,
    close: () => (closed ??= closeInstance())
  }
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

/** Undefined without `onRoute`; `checkCallOptions` rejects a value of another type. */
const makeReporter = (options: RoutedCallOptions | undefined): RouteReporter | undefined =>
  typeof options?.onRoute === "function" ? new RouteReporter(options.onRoute) : undefined

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
