/** Every service of an instance, wired from its options. An Effect host provides it to its program. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import { Accounts } from "./tenants/accounts/Accounts.ts"
import { ApiKeys } from "./tenants/auth/keys/ApiKeys.ts"
import { Authenticate, Authenticator } from "./tenants/auth/Authenticator.ts"
import { Callers } from "./tenants/auth/Callers.ts"
import { ApiKeyCache } from "./tenants/auth/keys/ApiKeyCache.ts"
import { RateLimitStore } from "./tenants/auth/rateLimits/RateLimitStore.ts"
import { RequestLimiter } from "./tenants/auth/rateLimits/RequestLimiter.ts"
import { Credentials } from "./tenants/byok/Credentials.ts"
import { Calibrations } from "./domains/calibration/Calibrations.ts"
import { Catalog } from "./engine/catalog/Catalog.ts"
import { Chats } from "./domains/chat/Chats.ts"
import { Guardrails } from "./tenants/guardrails/Guardrails.ts"
import { Health } from "./engine/health/Health.ts"
import { ModelUsage } from "./engine/health/ModelUsage.ts"
import { Admission } from "./api/server/Admission.ts"
import { App } from "./api/server/App.ts"
import { Drain } from "./instance/Drain.ts"
import { Operations } from "./api/inProcess/Operations.ts"
import { OperationTable } from "./api/server/OperationTable.ts"
import { makeInProcessHost } from "./domains/interns/host/InProcessHost.ts"
import { type InternHost, InternHostService } from "./domains/interns/host/InternHost.ts"
import { InternEligibility } from "./domains/interns/InternEligibility.ts"
import { Interns } from "./domains/interns/Interns.ts"
import { DurableJobs } from "./engine/jobs/DurableJobs.ts"
import { OnJobOffer } from "./engine/jobs/JobKind.ts"
import { Ledger } from "./engine/ledger/Ledger.ts"
import {
  type DomainServices,
  domainServices,
  domainWorkers,
  memoryStores,
  type Stores
} from "./domains.ts"
import { Audit } from "./engine/observability/audit/Audit.ts"
import { FailedRequests } from "./engine/observability/failures/FailedRequests.ts"
import { Broadcast } from "./engine/observability/broadcast/Broadcast.ts"
import {
  ExperimentOption,
  findExperimentProblem,
  makeExperiment
} from "./domains/experiments/Experiment.ts"
import { layerExperiments } from "./domains/experiments/Experiments.ts"
import { Generations } from "./engine/observability/generations/Generations.ts"
import { IoLog } from "./engine/observability/broadcast/IoLog.ts"
import { Metrics } from "./engine/observability/metrics/Metrics.ts"
import { layerExportReporter } from "./engine/observability/logging/exportReporter.ts"
import { RequestLogEnabled } from "./engine/observability/logging/RequestFacts.ts"
import { layerOutageFilter } from "./engine/observability/logging/layerOutageFilter.ts"
import type { ObservabilityPreferences } from "./engine/observability/broadcast/ObservabilityPreferences.ts"
import { checkOptions } from "./checkOptions.ts"
import type { InternOptions, Options } from "./Options.ts"
import { buildPluggable, type Platform } from "./Pluggable.ts"
import { layerStores } from "./storePorts.ts"
import { isObject } from "./values/json/guards.ts"
import { applyFailureOverrides } from "./routing/attempt/failureRules.ts"
import { resolveHedging } from "./routing/attempt/hedging/Hedger.ts"
import { priceWeighted } from "./routing/plan/strategies/strategies.ts"
import { Routing } from "./routing/Routing.ts"
import { RoutingRules } from "./routing/RoutingRules.ts"
import { SpendLimits } from "./routing/restrictions/SpendLimits.ts"
import { Sealer } from "./engine/secrets/Sealer.ts"
import * as Settings from "./instance/Settings.ts"
import { Upstream } from "./engine/upstreams/Upstream.ts"
import { type FieldNames, checkFieldNames } from "./values/validation/checkFieldNames.ts"
import { parseCallbackUrl } from "./engine/outbound/parseCallbackUrl.ts"
import { buildOnDemand, loadLayer } from "./values/layerOnDemand.ts"
import type { OptionFailed } from "./values/errors/RequestErrors.ts"
import { Vaults } from "./domains/vaults/Vaults.ts"
import { OptionalBlobStore, BlobStore } from "./domains/videos/content/BlobStore.ts"
import { Deliveries } from "./tenants/webhooks/Deliveries.ts"
import { layerObservabilityPreferences } from "./tenants/workspaces/layerObservabilityPreferences.ts"
import {
  CurrentWorkspaceDefaults,
  WorkspaceDefaults
} from "./tenants/workspaces/WorkspaceDefaults.ts"
import { Webhooks } from "./tenants/workspaces/Webhooks.ts"
import { Workspaces } from "./tenants/workspaces/Workspaces.ts"
import { memoryRateLimitStore } from "./memory/memoryRateLimitStore.ts"
import { layerInitialRecords } from "./initialRecords.ts"
import { decodeOption } from "./decodeOption.ts"
import { importNamed } from "./values/importNamed.ts"

/** The services of an instance, as `signalbox.context` and `layer` provide them. */
export type Services =
  | Accounts
  | Admission
  | ApiKeys
  | App
  | Audit
  | Broadcast
  | Calibrations
  | Callers
  | Catalog
  | Chats
  | Credentials
  | Deliveries
  | DomainServices
  | Drain
  | DurableJobs
  | FailedRequests
  | Generations
  | Guardrails
  | Health
  | InternHostService
  | InternEligibility
  | Interns
  | IoLog
  | Ledger
  | Metrics
  | Operations
  | OperationTable
  | Routing
  | Stores
  | Vaults
  | Webhooks
  | Workspaces

/**
 * Every service of an instance, with its workers. The platform brings HTTP clients for upstreams and webhook
 * receivers, and the digest for keys; `@signalbox/node` has one. Dies with a `RangeError` that says what to correct when
 * the options contradict each other. Fails with `OptionFailed` when an effect or a layer among the options fails.
 */
export const layer = (options: Options): Layer.Layer<Services, OptionFailed, Platform> =>
  Layer.suspend(() => {
    checkOptions(options)
    // Without stores there are no steps of an earlier process, so the first offer begins all work.
    const trigger: WorkerTrigger = {}
    const workers = options.stores === undefined ? layerWorkersOnDemand(trigger) : domainWorkers
    return Layer.mergeAll(App.layer, Operations.layer, layerInitialRecords(options)).pipe(
      Layer.provideMerge(OperationTable.layer),
      Layer.provideMerge(layerAdmission(options)),
      Layer.provideMerge(workers),
      Layer.provideMerge(makeParts(options)),
      Layer.provideMerge(Layer.succeed(OnJobOffer, () => trigger.run?.()))
    )
  })

/** Starts the workers when `trigger.run` is called, which is no sooner than this layer is built. */
const layerWorkersOnDemand = (trigger: WorkerTrigger) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const start = yield* buildOnDemand(async () => domainWorkers)
      const run = Effect.runForkWith(yield* Effect.context())
      trigger.run = () => {
        const started = start()
        if (!Exit.isExit(started)) run(Effect.ignoreCause(started, { log: "Error" }))
      }
    })
  )

interface WorkerTrigger {
  run?: () => void
}

/** The services and what they are built from. */
export type Parts =
  | Exclude<Services, Admission | App | Operations | OperationTable>
  | ApiKeyCache
  | ModelUsage
  | Sealer
  | SpendLimits
  | ObservabilityPreferences

/**
 * Every service without workers and without HTTP, so nothing runs in the background. `accounts`, `keys`, `credits` and
 * `credentials` of the options are not written. Tests use it to provide the dependencies of one service.
 */
export const layerParts = (options: Options): Layer.Layer<Parts, OptionFailed, Platform> =>
  Layer.suspend(() => {
    checkOptions(options)
    return makeParts(options)
  })

const makeParts = (options: Options): Layer.Layer<Parts, OptionFailed, Platform> => {
  const telemetry: Layer.Layer<never, never, HttpClient.HttpClient> =
    options.telemetry === undefined
      ? Layer.empty
      : Layer.provide(options.telemetry, layerExportReporter)

  const observers = Generations.layer({ logs: options.log === true }).pipe(
    Layer.provideMerge([
      Broadcast.layer(options.broadcast ?? []),
      IoLog.layer(options.ioLog),
      Metrics.layer
    ]),
    Layer.provideMerge(layerObservabilityPreferences)
  )

  const foundation = Layer.mergeAll(
    layerCatalog(options),
    Layer.mergeAll(
      Accounts.layer,
      DurableJobs.layer,
      Layer.mergeAll(Credentials.layer, Vaults.layer, Webhooks.layer).pipe(
        Layer.provideMerge(Sealer.layer(options.sealing))
      ),
      Guardrails.layer,
      Ledger.layer,
      Calibrations.layer.pipe(Layer.provideMerge(observers)),
      FailedRequests.layer
    ).pipe(
      Layer.provideMerge([ApiKeys.layer, Callers.layer]),
      Layer.provideMerge([ApiKeyCache.layer, Workspaces.layer]),
      Layer.provideMerge(Audit.layer),
      Layer.provideMerge(layerStores(options.stores ?? memoryStores))
    ),
    Health.layer,
    ModelUsage.layer,
    Drain.layer
  )

  return domainServices.pipe(
    Layer.provideMerge(Deliveries.layer),
    Layer.provideMerge(Interns.layer),
    Layer.provideMerge(Layer.effect(InternHostService, resolveInternHost(options.interns))),
    Layer.provideMerge(Chats.layer),
    Layer.provideMerge(Layer.unwrap(Effect.sync(() => resolveExperiments(options)))),
    Layer.provideMerge(Routing.layer.pipe(Layer.provideMerge(SpendLimits.layer))),
    Layer.provideMerge(foundation),
    Layer.provideMerge(
      Layer.succeed(RoutingRules, {
        strategy: options.strategy ?? priceWeighted,
        failureRules: applyFailureOverrides(options.failureRules ?? {}),
        ...(options.hedging === undefined || options.hedging === false
          ? undefined
          : { hedging: resolveHedging(options.hedging) })
      })
    ),
    Layer.provideMerge(Layer.effect(OptionalBlobStore, resolveBlobStore(options))),
    Layer.provideMerge(Layer.effect(CurrentWorkspaceDefaults, resolveWorkspaceDefaults(options))),
    Layer.provideMerge(
      Layer.succeed(InternEligibility, options.interns?.eligibility ?? allowEveryone)
    ),
    Layer.provideMerge(layerOutageFilter),
    Layer.provideMerge(options.log === true ? layerRequestLog : Layer.empty),
    Layer.provideMerge(telemetry),
    Layer.provideMerge(Settings.layer(options.settings ?? {}))
  )
}

const layerRequestLog = Layer.merge(
  Layer.succeed(RequestLogEnabled, true),
  loadLayer(
    importNamed(() => import("./engine/observability/logging/lineLogger.ts"), "layerLineLogger")
  )
)

const layerCatalog = ({ lastGood, models, overlay, upstreams }: Options) =>
  Layer.unwrap(
    Effect.map(
      Effect.forEach(upstreams, (upstream, index) =>
        buildPluggable(`upstreams.${index}`, Upstream, upstream)
      ),
      (built) =>
        Catalog.layer({
          upstreams: built,
          models,
          ...(overlay === undefined ? undefined : { overlay }),
          ...(lastGood === undefined ? undefined : { lastGood })
        })
    )
  )

/** A configured broadcast is enabled by default. */
const resolveWorkspaceDefaults = ({ broadcast = [], workspaceDefaults }: Options) =>
  Effect.map(Settings.Settings, (settings) => {
    const decoded = decodeOption("workspaceDefaults", WorkspaceDefaults, workspaceDefaults ?? {})
    const url =
      decoded.callbackUrl === undefined
        ? undefined
        : Result.getOrThrowWith(
            parseCallbackUrl(decoded.callbackUrl, settings),
            (problem) => new RangeError(`workspaceDefaults.callbackUrl ${problem}`)
          )
    return {
      isObservabilityBroadcastEnabled: broadcast.length > 0,
      ...decoded,
      ...(url === undefined ? undefined : { callbackUrl: url })
    }
  })

const resolveBlobStore = ({ videoFiles }: Options) =>
  videoFiles === undefined ? Effect.undefined : buildPluggable("videoFiles", BlobStore, videoFiles)

/** Throws a `RangeError` that names the experiment at fault. */
const resolveExperiments = ({ experiments = [] }: Options) => {
  const made = experiments.map((option, index) => {
    const experiment = makeExperiment(
      decodeOption(`experiments.${index}`, ExperimentOption, option)
    )
    const problem = findExperimentProblem(experiment)
    if (problem !== undefined) throw new RangeError(`experiments.${index}.${problem}`)
    return experiment
  })
  const ids = made.map(({ id }) => id)
  const repeated = ids.findIndex((id, index) => ids.indexOf(id) !== index)
  if (repeated >= 0) {
    throw new RangeError(`experiments.${repeated}: an earlier one has the same match, to and mode`)
  }
  return layerExperiments(made)
}

const layerRateLimits = ({ rateLimits }: Options) =>
  rateLimits === undefined
    ? memoryRateLimitStore
    : Layer.provide(
        layerBoundedRateLimits,
        Layer.effect(RateLimitStore, buildPluggable("rateLimits", RateLimitStore, rateLimits))
      )

const layerAuthenticator = ({ authenticate }: Options) =>
  authenticate === undefined
    ? Authenticator.layer
    : Layer.unwrap(
        Effect.map(
          buildPluggable("authenticate", Authenticate, authenticate),
          Authenticator.layerHost
        )
      )

const layerAdmission = (options: Options) =>
  Admission.layer.pipe(
    Layer.provide([
      layerAuthenticator(options),
      RequestLimiter.layer.pipe(Layer.provide(layerRateLimits(options)))
    ])
  )

const layerBoundedRateLimits = Layer.unwrap(
  Effect.map(
    Effect.promise(() => import("./tenants/auth/rateLimits/RateLimitStore.ts")),
    (module) => module.layerBoundedRateLimitStore
  )
)

const allowEveryone = (): boolean => true

const internFields: FieldNames<InternOptions> = { domain: true, host: true, eligibility: true }

const resolveInternHost = Effect.fnUntraced(function* (
  options: InternOptions = {}
): Effect.fn.Return<InternHost, OptionFailed, Platform | Scope.Scope> {
  checkFieldNames(options, "field of interns", internFields, "interns: ")
  const { domain, host } = options
  if (host !== undefined && domain !== undefined) {
    throw new RangeError(
      "interns.domain configures the built-in host; leave out interns.domain or interns.host"
    )
  }
  if (domain !== undefined && typeof domain !== "string") {
    throw new RangeError("interns.domain must be a string such as interns.example.com")
  }
  if (host === undefined) return makeInProcessHost(domain === undefined ? {} : { domain })
  const built = yield* buildPluggable("interns.host", InternHostService, host)
  if (!isObject(built)) {
    throw new RangeError("interns.host must be an intern host such as inProcessHost({ domain })")
  }
  return built
})
