/** Makes an instance from options, for a platform. */
import * as Context from "effect/Context"
import type * as Digest from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Scope from "effect/Scope"
import { resolveCaller } from "./tenants/auth/Callers.ts"
import { Contents } from "./domains/content/Contents.ts"
import { Credentials } from "./tenants/byok/Credentials.ts"
import { Catalog } from "./engine/catalog/Catalog.ts"
import type { CatalogError } from "./engine/catalog/CatalogErrors.ts"
import type { Configuration } from "./engine/catalog/Configuration.ts"
import { makeChat } from "./domains/chat/chat.ts"
import { makeAnswer } from "./domains/chat/answer.ts"
import { flattenExtra } from "./domains/chat/request/parseChatRequest.ts"
import { makeMessages } from "./domains/messages/messages.ts"
import { makeResponses } from "./domains/responses/responses.ts"
import { makeDecide } from "./domains/decisions/decide.ts"
import { checkCatalogChange, checkOptions } from "./checkOptions.ts"
import { Drain } from "./instance/Drain.ts"
import type { ExpectedError } from "./api/errors/errorTable.ts"
import type { PromiseOperations, SignalOptions } from "./api/inProcess/Calls.ts"
import { Operations, toPromiseOperations } from "./api/inProcess/Operations.ts"
import { toRequestContext } from "./api/server/requestContext.ts"
import { isServedPath } from "./api/server/routeTable.ts"
import { makeWebHandler } from "./api/server/makeWebHandler.ts"
import { layerInstance, type Services } from "./layer.ts"
import { Ledger } from "./engine/ledger/Ledger.ts"
import type { OutboundHttp } from "./engine/outbound/OutboundHttp.ts"
import type { Options } from "./Options.ts"
import { Settings } from "./instance/Settings.ts"
import { makePromiseRunner } from "./makePromiseRunner.ts"
import type { Signalbox } from "./Signalbox.ts"
import { SignalboxError } from "./SignalboxError.ts"
import type { RecordedRequest } from "./domains/simulator/recording/RecordedRequest.ts"
import { AccountId, defaultAccountId } from "./values/ids/Ids.ts"
import { OptionFailed } from "./values/errors/RequestErrors.ts"
import { loadOnce } from "./values/layerOnDemand.ts"
import { omitUndefined } from "./values/ownFields.ts"
import * as Step from "./values/Step.ts"
import * as NanoUsd from "./values/usage/NanoUsd.ts"
import { Vaults } from "./domains/vaults/Vaults.ts"
import { Webhooks } from "./tenants/workspaces/Webhooks.ts"

/**
 * Makes an instance. `platform` brings the HTTP clients and the digest; `make` of `@signalbox/node` is this function
 * with Node's. Rejects with a `RangeError` that says what to correct when options are invalid, and with a
 * `SignalboxError` whose cause is `OptionFailed` when an effect or a layer of the options fails.
 */
export const make = async <Source = unknown>(
  options: Options<Source>,
  platform: Layer.Layer<HttpClient.HttpClient | Digest.Digest | OutboundHttp>
): Promise<Signalbox<Source>> => {
  checkOptions(options)
  const instanceScope = Scope.makeUnsafe()
  const release = (): Promise<void> => Effect.runPromise(Scope.close(instanceScope, Exit.void))
  // Safe: a mount with requests of another type does not compile.
  const services = layerInstance(options as Options).pipe(
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
  const drain = Context.get(context, Drain)
  const operations = Context.get(context, Operations)
  const settings = Context.get(context, Settings)
  const loadReports = loadOnce(async () => {
    const { makeReports } = await import("./api/reports/makeReports.ts")
    return Effect.runSync(Effect.provideContext(makeReports, context))
  })

  const loadEmbed = loadOnce(async () =>
    (await import("./domains/embeddings/embed.ts")).makeEmbed(context)
  )
  const loadRerank = loadOnce(async () =>
    (await import("./domains/rerank/rerank.ts")).makeRerank(context)
  )
  const loadImages = loadOnce(async () => {
    const { makeGenerateImages } = await import("./domains/images/generateImages.ts")
    return makeGenerateImages(context)
  })
  const loadAudio = loadOnce(async () => {
    const [{ makeSpeak }, { makeTranscribe }] = await Promise.all([
      import("./domains/speech/speak.ts"),
      import("./domains/transcription/transcribe.ts")
    ])
    return { speak: makeSpeak(context), transcribe: makeTranscribe(context) }
  })
  const requestContext = toRequestContext(context)
  const { download, iterate, runCall, runRouted } = makePromiseRunner(context, requestContext)
  const decide = makeDecide(requestContext)
  const chat = makeChat(requestContext)
  const answer = makeAnswer(requestContext)
  const messages = makeMessages(requestContext)
  const responses = makeResponses(requestContext)

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
      runRouted(options, (observer) =>
        Step.flatMap(loadEmbed(), (embed) => embed(request, options?.caller, observer))
      ),
    rerank: (request, options) =>
      runRouted(options, (observer) =>
        Step.flatMap(loadRerank(), (rerank) => rerank(request, options?.caller, observer))
      ),
    speak: (request, options) =>
      iterate(options, (observer) =>
        Effect.flatMap(loadAudio(), ({ speak }) =>
          Effect.map(speak(request, options?.caller, observer), ({ bytes }) => bytes)
        )
      ),
    transcribe: (request, options) =>
      runRouted(options, (observer) =>
        Effect.flatMap(loadAudio(), ({ transcribe }) =>
          transcribe(request, options?.caller, observer)
        )
      ),
    generateImages: (request, options) =>
      runRouted(options, (observer) =>
        Effect.flatMap(loadImages(), ({ generate }) => generate(request, options?.caller, observer))
      ),
    streamImages: (request, options) =>
      iterate(options, (observer) =>
        Effect.flatMap(loadImages(), ({ stream }) => stream(request, options?.caller, observer))
      ),
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
          Effect.flatMap(Effect.zip(flattenExtra(request), loadReports()), ([body, { explain }]) =>
            explain(caller, body, options ?? {})
          )
        )
      ),
    recording: readRecording,
    health: (options) =>
      Effect.runPromise(
        Effect.flatMap(loadReports(), (reports) => reports.health(options?.endpoints))
      ),
    metrics: () => Effect.runPromise(Effect.flatMap(loadReports(), (reports) => reports.metrics)),
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
            (yield* (yield* Vaults).reseal) +
            (yield* (yield* Contents).reseal)
          )
        })
      ),
    drain: drain.markUnready,
    close: () => (closed ??= closeInstance())
  }
}
