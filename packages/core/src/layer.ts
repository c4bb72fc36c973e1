/** Every service of an instance, wired from its options. An Effect host provides it to its program. */
import type * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import { Accounts } from "./tenants/accounts/Accounts.ts"
import { Alerts } from "./domains/alerts/Alerts.ts"
import { ApiKeys } from "./tenants/auth/keys/ApiKeys.ts"
import { Callers } from "./tenants/auth/Callers.ts"
import { ApiKeyCache } from "./tenants/auth/keys/ApiKeyCache.ts"
import { Credentials } from "./tenants/byok/Credentials.ts"
import { Calibrations } from "./domains/calibration/Calibrations.ts"
import { Contents } from "./domains/content/Contents.ts"
import type { Catalog } from "./engine/catalog/Catalog.ts"
import { Chats } from "./domains/chat/Chats.ts"
import { Feedbacks } from "./domains/feedback/Feedbacks.ts"
import { Guardrails } from "./tenants/guardrails/Guardrails.ts"
import { Health } from "./engine/health/Health.ts"
import { ModelUsage } from "./engine/health/ModelUsage.ts"
import type { Admission } from "./api/server/Admission.ts"
import { App } from "./api/server/App.ts"
import { Drain } from "./instance/Drain.ts"
import { ThisProcess } from "./instance/ThisProcess.ts"
import { Operations } from "./api/inProcess/Operations.ts"
import { HandlerTable } from "./api/server/HandlerTable.ts"
import { InternHostService } from "./domains/interns/host/InternHost.ts"
import { InternEligibility } from "./domains/interns/Intern.ts"
import { CurrentOrganization } from "./domains/organization/Organization.ts"
import { LegalHold } from "./domains/people/LegalHold.ts"
import { Interns } from "./domains/interns/Interns.ts"
import { DurableJobs } from "./engine/jobs/DurableJobs.ts"
import { OnJobOffer } from "./engine/jobs/JobKind.ts"
import { Ledger } from "./engine/ledger/Ledger.ts"
import {
  type DomainServices,
  domainServices,
  domainWorkers,
  layerAlertWatch,
  memoryStores,
  type Stores
} from "./domains.ts"
import { Audit } from "./engine/observability/audit/Audit.ts"
import { FailedRequests } from "./engine/observability/failures/FailedRequests.ts"
import { Pipeline } from "./engine/observability/broadcast/Pipeline.ts"
import { Generations } from "./engine/observability/generations/Generations.ts"
import { Metrics } from "./engine/observability/metrics/Metrics.ts"
import { layerExportReporter } from "./engine/observability/logging/exportReporter.ts"
import { layerOutageFilter } from "./engine/observability/logging/layerOutageFilter.ts"
import type { ObservabilityPreferences } from "./engine/observability/broadcast/ObservabilityPreferences.ts"
import { checkOptions } from "./checkOptions.ts"
import type { Options } from "./Options.ts"
import type { Platform } from "./Pluggable.ts"
import { layerStores } from "./storePorts.ts"
import { applyFailureOverrides } from "./routing/attempt/failureRules.ts"
import { resolveRequestQueue } from "./routing/attempt/concurrency/RequestQueue.ts"
import { resolveHedging } from "./routing/attempt/hedging/Hedger.ts"
import { priceWeighted } from "./routing/plan/strategies/strategies.ts"
import { layerForgetAnswers } from "./routing/cache/layerForgetAnswers.ts"
import { ResponseCache } from "./routing/cache/ResponseCache.ts"
import { ContentFilters } from "./routing/filters/ContentFilters.ts"
import { Routing } from "./routing/Routing.ts"
import { RoutingRules } from "./routing/RoutingRules.ts"
import { SpendLimits } from "./routing/restrictions/SpendLimits.ts"
import type { ParallelSlots } from "./tenants/auth/rateLimits/ParallelSlots.ts"
import type { RateLimits } from "./tenants/auth/rateLimits/RateLimits.ts"
import { UsageLimiter } from "./tenants/auth/rateLimits/UsageLimiter.ts"
import { Sealer } from "./engine/secrets/Sealer.ts"
import * as Settings from "./instance/Settings.ts"
import type { OptionFailed } from "./values/errors/RequestErrors.ts"
import { Vaults } from "./domains/vaults/Vaults.ts"
import { layerRequestClient } from "./engine/upstreams/transport/RequestClient.ts"
import { OptionalBlobStore } from "./instance/BlobStore.ts"
import { Deliveries } from "./tenants/webhooks/Deliveries.ts"
import { ContentKeeping } from "./tenants/workspaces/ContentKeeping.ts"
import {
  CurrentWorkspaceDefaults,
  layerObservabilityPreferences
} from "./tenants/workspaces/WorkspaceDefaults.ts"
import { Webhooks } from "./tenants/workspaces/Webhooks.ts"
import { Workspaces } from "./tenants/workspaces/Workspaces.ts"
import { addCustomerPairs, layerBundleChecks, layerBundles } from "./resolveBundles.ts"
import { layerAdmission } from "./layerAdmission.ts"
import { layerRateLimits } from "./layerRateLimits.ts"
import {
  layerCatalog,
  layerPkce,
  layerRequestLog,
  resolveBlobStore,
  resolveInternHost,
  resolveWorkspaceDefaults
} from "./resolveOptions.ts"
import {
  hasExperiments,
  hasInitialRecords,
  incidentWatch,
  loadAlertConfig,
  loadAskingChecks,
  loadContentChecks,
  loadContentSink,
  loadExperiments,
  loadFleet,
  loadHostPresets,
  loadInitialRecords,
  loadPresetChecks,
  loadResponseCacheRules,
  loadResponseCacheStore,
  loadSharedHealth,
  loadTrafficControls,
  runOnDemand,
  type Trigger
} from "./partsOnDemand.ts"

/** The services of an instance, as `signalbox.context` and `layer` provide them. */
export type Services =
  | Accounts
  | Admission
  | Alerts
  | ApiKeys
  | App
  | Audit
  | Calibrations
  | Callers
  | Catalog
  | Chats
  | Contents
  | Credentials
  | Deliveries
  | DomainServices
  | Drain
  | DurableJobs
  | FailedRequests
  | Feedbacks
  | Generations
  | Guardrails
  | Health
  | InternHostService
  | InternEligibility
  | Interns
  | Ledger
  | Metrics
  | Operations
  | Pipeline
  | HandlerTable
  | Routing
  | Stores
  | ThisProcess
  | Vaults
  | Webhooks
  | Workspaces

/**
 * Every service of an instance, with its workers. The platform brings HTTP clients for upstreams and webhook
 * receivers, and the digest for keys; `@signalbox/node` has one. Dies with a `RangeError` that says what to correct when
 * the options contradict each other. Fails with `OptionFailed` when an effect or a layer among the options fails. The
 * `source` of `authenticate` is that of Effect's `HttpServerRequest`, such as Node's `IncomingMessage`.
 */
export const layer = (options: Options<object>): Layer.Layer<Services, OptionFailed, Platform> =>
  // Safe: an Effect host has an object for every request.
  layerInstance(options as Options)

/** The services of an instance that is mounted where requests have the `source` that its options take. */
export const layerInstance = (options: Options): Layer.Layer<Services, OptionFailed, Platform> =>
  Layer.suspend(() => {
    checkOptions(options)
    // Without stores there are no steps of an earlier process, so the first offer begins all work.
    const trigger: Trigger = {}
    const workers =
      options.stores === undefined ? runOnDemand(trigger, async () => domainWorkers) : domainWorkers
    return Layer.mergeAll(
      App.layer,
      Operations.layer,
      hasInitialRecords(options) ? loadInitialRecords(options) : Layer.empty,
      layerBundleChecks(options),
      options.contentChecks === undefined ? Layer.empty : loadAskingChecks(options),
      options.presets === undefined ? Layer.empty : loadPresetChecks(options)
    ).pipe(
      Layer.provideMerge(HandlerTable.layer),
      Layer.provideMerge(layerAdmission(options)),
      Layer.provideMerge(options.alerts === undefined ? Layer.empty : layerAlertWatch),
      Layer.provideMerge(workers),
      Layer.provideMerge(options.stores === undefined ? Layer.empty : loadSharedHealth),
      Layer.provideMerge(options.stores === undefined ? Layer.empty : loadTrafficControls),
      Layer.provideMerge(options.stores === undefined ? Layer.empty : loadFleet(options)),
      Layer.provideMerge(incidentWatch),
      Layer.provideMerge(makeParts(options)),
      Layer.provideMerge(Layer.succeed(OnJobOffer, () => trigger.run?.()))
    )
  })

/** The services and what they are built from. */
export type Parts =
  | Exclude<Services, Admission | App | Operations | HandlerTable>
  | ApiKeyCache
  | ContentFilters
  | ModelUsage
  | ParallelSlots
  | RateLimits
  | Sealer
  | SpendLimits
  | UsageLimiter
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
      Pipeline.layer({
        broadcast: options.broadcast,
        ioLog: options.ioLog,
        others: options.sealing === undefined ? [] : [loadContentSink]
      }),
      Metrics.layer
    ]),
    Layer.provideMerge(layerObservabilityPreferences)
  )

  const foundation = Layer.mergeAll(
    layerCatalog(options),
    Layer.mergeAll(
      Accounts.layer,
      DurableJobs.layer,
      Credentials.layer,
      Vaults.layer,
      Webhooks.layer,
      Guardrails.layer,
      Ledger.layer,
      Layer.mergeAll(Contents.layer, Feedbacks.layer).pipe(
        Layer.provideMerge(Calibrations.layer),
        Layer.provideMerge(observers)
      ),
      FailedRequests.layer
    ).pipe(
      Layer.provideMerge([ApiKeys.layer, Callers.layer]),
      Layer.provideMerge([ApiKeyCache.layer, Workspaces.layer]),
      Layer.provideMerge([Audit.layer, Sealer.layer(options.sealing)]),
      Layer.provideMerge(
        options.responseCache === undefined ? Layer.empty : loadResponseCacheStore(options)
      ),
      Layer.provideMerge(layerStores(options.stores ?? memoryStores))
    ),
    Health.layer,
    ModelUsage.layer,
    Drain.layer
  )

  return domainServices.pipe(
    Layer.provideMerge(Alerts.layer),
    Layer.provideMerge(Deliveries.layer),
    Layer.provideMerge(Interns.layer),
    Layer.provideMerge(Layer.effect(InternHostService, resolveInternHost(options.interns))),
    Layer.provideMerge(Chats.layer),
    Layer.provideMerge(hasExperiments(options) ? loadExperiments(options) : Layer.empty),
    Layer.provideMerge(
      Layer.merge(ResponseCache.layer, layerForgetAnswers).pipe(
        Layer.provideMerge(
          Routing.layer.pipe(Layer.provideMerge([ContentFilters.layer, SpendLimits.layer]))
        )
      )
    ),
    Layer.provideMerge([foundation, UsageLimiter.layer]),
    Layer.provideMerge(layerRateLimits(options)),
    Layer.provideMerge(
      Layer.succeed(RoutingRules, {
        strategy: options.strategy ?? priceWeighted,
        failureRules: applyFailureOverrides(options.failureRules ?? {}),
        ...(options.hedging === undefined || options.hedging === false
          ? undefined
          : { hedging: resolveHedging(options.hedging) }),
        ...(options.requestQueue === undefined
          ? undefined
          : { requestQueue: resolveRequestQueue(options.requestQueue) })
      })
    ),
    Layer.provideMerge([
      ThisProcess.layer,
      layerRequestClient,
      Layer.effect(OptionalBlobStore, resolveBlobStore(options)),
      Layer.succeed(ContentKeeping, { isPossible: options.sealing !== undefined }),
      Layer.effect(CurrentWorkspaceDefaults, resolveWorkspaceDefaults(options))
    ]),
    Layer.provideMerge([
      layerBundles(options),
      options.responseCache === undefined ? Layer.empty : loadResponseCacheRules(options),
      options.presets === undefined ? Layer.empty : loadHostPresets(options),
      options.contentChecks === undefined ? Layer.empty : loadContentChecks(options)
    ]),
    Layer.provideMerge(
      Layer.succeed(InternEligibility, options.interns?.eligibility ?? allowEveryone)
    ),
    Layer.provideMerge([
      options.legalHold === undefined ? Layer.empty : Layer.succeed(LegalHold, options.legalHold),
      options.organization === undefined
        ? Layer.empty
        : Layer.succeed(CurrentOrganization, options.organization),
      options.pkce === undefined ? Layer.empty : Layer.suspend(() => layerPkce(options.pkce))
    ]),
    Layer.provideMerge(options.alerts === undefined ? Layer.empty : loadAlertConfig(options)),
    Layer.provideMerge(layerOutageFilter),
    Layer.provideMerge(options.log === true ? layerRequestLog : Layer.empty),
    Layer.provideMerge(telemetry),
    Layer.provideMerge(Settings.layer(addCustomerPairs(options)))
  )
}

const allowEveryone = (): boolean => true
