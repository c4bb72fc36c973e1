/** Collects the parts that each domain adds to an instance: handlers, services and stores. */
import * as Layer from "effect/Layer"
import { MemoryJournal } from "./memory/MemoryJournal.ts"
import { Transaction } from "./instance/Transaction.ts"
import { AccountStore } from "./tenants/accounts/AccountStore.ts"
import { ApiKeyStore } from "./tenants/auth/keys/ApiKeyStore.ts"
import { CredentialStore } from "./tenants/byok/CredentialStore.ts"
import { CalibrationStore } from "./domains/calibration/CalibrationStore.ts"
import { Decisions } from "./domains/decisions/Decisions.ts"
import { Embeddings } from "./domains/embeddings/Embeddings.ts"
import { ExperimentStore } from "./domains/experiments/ExperimentStore.ts"
import { GuardrailStore } from "./tenants/guardrails/GuardrailStore.ts"
import { InternStore } from "./domains/interns/InternStore.ts"
import { InternChats } from "./domains/interns/chat/InternChats.ts"
import { JobStore } from "./engine/jobs/JobStore.ts"
import { LedgerStore } from "./engine/ledger/LedgerStore.ts"
import { SpendCounters } from "./engine/ledger/SpendCounters.ts"
import { Listing } from "./domains/listing/Listing.ts"
import { memoryAccountStore } from "./memory/memoryAccountStore.ts"
import { memoryApiKeyStore } from "./memory/memoryApiKeyStore.ts"
import { memoryAuditLog } from "./memory/memoryAuditLog.ts"
import { memoryCalibrationStore } from "./memory/memoryCalibrationStore.ts"
import { memoryCredentialStore } from "./memory/memoryCredentialStore.ts"
import { memoryDeliveryStore } from "./memory/memoryDeliveryStore.ts"
import { memoryExperimentStore } from "./memory/memoryExperimentStore.ts"
import { memoryFailedRequestStore } from "./memory/memoryFailedRequestStore.ts"
import { memoryGenerationStore } from "./memory/memoryGenerationStore.ts"
import { memoryGuardrailStore } from "./memory/memoryGuardrailStore.ts"
import { memoryInternStore } from "./memory/memoryInternStore.ts"
import { memoryJobStore } from "./memory/memoryJobStore.ts"
import { memoryLedgerStore } from "./memory/memoryLedgerStore.ts"
import { memoryRollupStore } from "./memory/memoryRollupStore.ts"
import { memorySpendCounters } from "./memory/memorySpendCounters.ts"
import { memoryTransaction } from "./memory/memoryTransaction.ts"
import { memoryVaultStore } from "./memory/memoryVaultStore.ts"
import { memoryVideoStore } from "./memory/memoryVideoStore.ts"
import { memoryWebhookStore } from "./memory/memoryWebhookStore.ts"
import { memoryWorkspaceStore } from "./memory/memoryWorkspaceStore.ts"
import { AuditLog } from "./engine/observability/audit/AuditLog.ts"
import { FailedRequestStore } from "./engine/observability/failures/FailedRequestStore.ts"
import { GenerationStore } from "./engine/observability/generations/GenerationStore.ts"
import { Reranks } from "./domains/rerank/Reranks.ts"
import { RollupStore } from "./engine/observability/rollups/RollupStore.ts"
import { loadLayer } from "./values/layerOnDemand.ts"
import { VaultStore } from "./domains/vaults/VaultStore.ts"
import { VideoStore } from "./domains/videos/VideoStore.ts"
import { Videos } from "./domains/videos/Videos.ts"
import { DeliveryStore } from "./tenants/webhooks/DeliveryStore.ts"
import { WebhookStore } from "./tenants/workspaces/WebhookStore.ts"
import { WorkspaceStore } from "./tenants/workspaces/WorkspaceStore.ts"

/**
 * The groups of the contract with their handlers, each loaded with the first call of one of its operations. Probes have a
 * responder of their own.
 *
 * @internal
 */
export const operationGroups = {
  account: {
    contract: () => import("./api/accounts/AccountApi.ts").then(({ AccountApi }) => AccountApi),
    handlers: () =>
      import("./api/accounts/accountHandlers.ts").then(({ accountHandlers }) => accountHandlers)
  },
  activity: {
    contract: () =>
      import("./api/observability/ActivityApi.ts").then(({ ActivityApi }) => ActivityApi),
    handlers: () =>
      import("./api/observability/activityHandlers.ts").then(
        ({ activityHandlers }) => activityHandlers
      )
  },
  analytics: {
    contract: () =>
      import("./api/observability/AnalyticsApi.ts").then(({ AnalyticsApi }) => AnalyticsApi),
    handlers: () =>
      import("./api/observability/analyticsHandlers.ts").then(
        ({ analyticsHandlers }) => analyticsHandlers
      )
  },
  audit: {
    contract: () => import("./api/observability/AuditApi.ts").then(({ AuditApi }) => AuditApi),
    handlers: () =>
      import("./api/observability/auditHandlers.ts").then(({ auditHandlers }) => auditHandlers)
  },
  failedRequests: {
    contract: () =>
      import("./api/observability/FailedRequestsApi.ts").then(
        ({ FailedRequestsApi }) => FailedRequestsApi
      ),
    handlers: () =>
      import("./api/observability/failedRequestsHandlers.ts").then(
        ({ failedRequestsHandlers }) => failedRequestsHandlers
      )
  },
  byok: {
    contract: () => import("./api/byok/ByokApi.ts").then(({ ByokApi }) => ByokApi),
    handlers: () => import("./api/byok/byokHandlers.ts").then(({ byokHandlers }) => byokHandlers)
  },
  calibration: {
    contract: () =>
      import("./api/calibration/CalibrationApi.ts").then(({ CalibrationApi }) => CalibrationApi),
    handlers: () =>
      import("./api/calibration/calibrationHandlers.ts").then(
        ({ calibrationHandlers }) => calibrationHandlers
      )
  },
  // Without a contract, as the handlers read requests themselves.
  chat: {
    handlers: () => import("./api/chat/chatHandlers.ts").then(({ chatHandlers }) => chatHandlers)
  },
  credits: {
    contract: () => import("./api/ledger/CreditsApi.ts").then(({ CreditsApi }) => CreditsApi),
    handlers: () =>
      import("./api/ledger/creditsHandlers.ts").then(({ creditsHandlers }) => creditsHandlers)
  },
  decisions: {
    handlers: () =>
      import("./api/decisions/decisionsHandlers.ts").then(
        ({ decisionsHandlers }) => decisionsHandlers
      )
  },
  deliveries: {
    contract: () =>
      import("./api/webhooks/DeliveriesApi.ts").then(({ DeliveriesApi }) => DeliveriesApi),
    handlers: () =>
      import("./api/webhooks/deliveriesHandlers.ts").then(
        ({ deliveriesHandlers }) => deliveriesHandlers
      )
  },
  embeddings: {
    handlers: () =>
      import("./api/embeddings/embeddingsHandlers.ts").then(
        ({ embeddingsHandlers }) => embeddingsHandlers
      )
  },
  endpoints: {
    contract: () =>
      import("./api/listing/EndpointsApi.ts").then(({ EndpointsApi }) => EndpointsApi),
    handlers: () =>
      import("./api/listing/endpointsHandlers.ts").then(
        ({ endpointsHandlers }) => endpointsHandlers
      )
  },
  escalation: {
    contract: () =>
      import("./api/decisions/EscalationApi.ts").then(({ EscalationApi }) => EscalationApi),
    handlers: () =>
      import("./api/decisions/escalationHandlers.ts").then(
        ({ escalationHandlers }) => escalationHandlers
      )
  },
  experiments: {
    contract: () =>
      import("./api/experiments/ExperimentsApi.ts").then(({ ExperimentsApi }) => ExperimentsApi),
    handlers: () =>
      import("./api/experiments/experimentsHandlers.ts").then(
        ({ experimentsHandlers }) => experimentsHandlers
      )
  },
  generations: {
    contract: () =>
      import("./api/observability/GenerationsApi.ts").then(({ GenerationsApi }) => GenerationsApi),
    handlers: () =>
      import("./api/observability/generationsHandlers.ts").then(
        ({ generationsHandlers }) => generationsHandlers
      )
  },
  guardrails: {
    contract: () =>
      import("./api/guardrails/GuardrailsApi.ts").then(({ GuardrailsApi }) => GuardrailsApi),
    handlers: () =>
      import("./api/guardrails/guardrailsHandlers.ts").then(
        ({ guardrailsHandlers }) => guardrailsHandlers
      )
  },
  interns: {
    contract: () => import("./api/interns/InternsApi.ts").then(({ InternsApi }) => InternsApi),
    handlers: () =>
      import("./api/interns/internsHandlers.ts").then(({ internsHandlers }) => internsHandlers)
  },
  keys: {
    contract: () => import("./api/auth/KeysApi.ts").then(({ KeysApi }) => KeysApi),
    handlers: () => import("./api/auth/keysHandlers.ts").then(({ keysHandlers }) => keysHandlers)
  },
  limits: {
    contract: () => import("./api/routing/LimitsApi.ts").then(({ LimitsApi }) => LimitsApi),
    handlers: () =>
      import("./api/routing/limitsHandlers.ts").then(({ limitsHandlers }) => limitsHandlers)
  },
  // Like chats.
  messages: {
    handlers: () =>
      import("./api/messages/messagesHandlers.ts").then(({ messagesHandlers }) => messagesHandlers)
  },
  live: {
    contract: () => import("./api/observability/LiveApi.ts").then(({ LiveApi }) => LiveApi),
    handlers: () =>
      import("./api/observability/liveHandlers.ts").then(({ liveHandlers }) => liveHandlers)
  },
  models: {
    contract: () => import("./api/listing/ModelsApi.ts").then(({ ModelsApi }) => ModelsApi),
    handlers: () =>
      import("./api/listing/modelsHandlers.ts").then(({ modelsHandlers }) => modelsHandlers)
  },
  providers: {
    contract: () =>
      import("./api/listing/ProvidersApi.ts").then(({ ProvidersApi }) => ProvidersApi),
    handlers: () =>
      import("./api/listing/providersHandlers.ts").then(
        ({ providersHandlers }) => providersHandlers
      )
  },
  recordings: {
    contract: () =>
      import("./api/simulator/RecordingsApi.ts").then(({ RecordingsApi }) => RecordingsApi),
    handlers: () =>
      import("./api/simulator/recordingsHandlers.ts").then(
        ({ recordingsHandlers }) => recordingsHandlers
      )
  },
  reports: {
    contract: () => import("./api/reports/ReportsApi.ts").then(({ ReportsApi }) => ReportsApi),
    handlers: () =>
      import("./api/reports/reportsHandlers.ts").then(({ reportsHandlers }) => reportsHandlers)
  },
  rerank: {
    handlers: () =>
      import("./api/rerank/rerankHandlers.ts").then(({ rerankHandlers }) => rerankHandlers)
  },
  responses: {
    handlers: () =>
      import("./api/responses/responsesHandlers.ts").then(
        ({ responsesHandlers }) => responsesHandlers
      )
  },
  series: {
    contract: () => import("./api/observability/SeriesApi.ts").then(({ SeriesApi }) => SeriesApi),
    handlers: () =>
      import("./api/observability/seriesHandlers.ts").then(({ seriesHandlers }) => seriesHandlers)
  },
  vaults: {
    contract: () => import("./api/vaults/VaultsApi.ts").then(({ VaultsApi }) => VaultsApi),
    handlers: () =>
      import("./api/vaults/vaultsHandlers.ts").then(({ vaultsHandlers }) => vaultsHandlers)
  },
  videos: {
    contract: () => import("./api/videos/VideosApi.ts").then(({ VideosApi }) => VideosApi),
    handlers: () =>
      import("./api/videos/videosHandlers.ts").then(({ videosHandlers }) => videosHandlers)
  },
  webhooks: {
    contract: () =>
      import("./api/workspaces/WebhooksApi.ts").then(({ WebhooksApi }) => WebhooksApi),
    handlers: () =>
      import("./api/workspaces/webhooksHandlers.ts").then(
        ({ webhooksHandlers }) => webhooksHandlers
      )
  },
  workspaces: {
    contract: () =>
      import("./api/workspaces/WorkspacesApi.ts").then(({ WorkspacesApi }) => WorkspacesApi),
    handlers: () =>
      import("./api/workspaces/workspacesHandlers.ts").then(
        ({ workspacesHandlers }) => workspacesHandlers
      )
  }
}

/** The services that no other service requires; `layer.ts` provides the ones they use. */
export const domainServices = Layer.mergeAll(
  InternChats.layer,
  Decisions.layer,
  Embeddings.layer,
  Listing.layer,
  Reranks.layer,
  Videos.layer
)

/** The worker of deliveries. It runs until the instance is closed. */
export const layerDeliveryWorker = loadLayer(() =>
  import("./tenants/webhooks/DeliveryWorker.ts").then(
    ({ layerDeliveryWorker }) => layerDeliveryWorker
  )
)

/** The worker of interns. It runs until the instance is closed. */
export const layerInternWorker = loadLayer(() =>
  import("./domains/interns/tasks/InternWorker.ts").then(
    ({ layerInternWorker }) => layerInternWorker
  )
)

/** The workers of videos. They run until the instance is closed. */
export const layerVideoWorker = loadLayer(() =>
  import("./domains/videos/VideoWorker.ts").then(({ layerVideoWorker }) => layerVideoWorker)
)

/** Every worker. Everything that they work on begins with a durable step. */
export const domainWorkers = Layer.mergeAll(
  layerDeliveryWorker,
  layerInternWorker,
  layerVideoWorker
)

/** The services of `domainServices`. */
export type DomainServices = Layer.Success<typeof domainServices>

/** Every storage port. */
export const storePorts = [
  AccountStore,
  ApiKeyStore,
  Transaction,
  AuditLog,
  CalibrationStore,
  CredentialStore,
  DeliveryStore,
  ExperimentStore,
  FailedRequestStore,
  GenerationStore,
  GuardrailStore,
  InternStore,
  JobStore,
  LedgerStore,
  RollupStore,
  SpendCounters,
  VaultStore,
  VideoStore,
  WebhookStore,
  WorkspaceStore
] as const

/** The services of all store ports. */
export type Stores = (typeof storePorts)[number]["Identifier"]

/** All stores in memory, and the journal with which a custom store joins their transactions. */
export const memoryStores: Layer.Layer<Stores | MemoryJournal> = Layer.mergeAll(
  memoryAccountStore,
  memoryApiKeyStore,
  memoryTransaction,
  memoryAuditLog,
  memoryCredentialStore,
  memoryDeliveryStore,
  memoryExperimentStore,
  memoryFailedRequestStore,
  memoryGuardrailStore,
  memoryInternStore,
  memoryJobStore,
  memoryLedgerStore,
  memoryVaultStore,
  memoryVideoStore,
  memoryWebhookStore,
  memoryWorkspaceStore,
  memoryCalibrationStore
).pipe(
  Layer.provideMerge(memoryGenerationStore),
  Layer.provideMerge([memoryRollupStore, memorySpendCounters]),
  Layer.provideMerge(MemoryJournal.layer)
)
