/** Collects the parts that each domain adds to an instance: handlers, services and stores. */
import * as Layer from "effect/Layer"
import { MemoryJournal } from "./MemoryJournal.ts"
import { Transaction } from "./Transaction.ts"
import { AccountStore } from "./accounts/AccountStore.ts"
import { ApiKeyStore } from "./auth/keys/ApiKeyStore.ts"
import { CredentialStore } from "./byok/CredentialStore.ts"
import { CalibrationStore } from "./calibration/CalibrationStore.ts"
import { Decisions } from "./decisions/Decisions.ts"
import { Embeddings } from "./embeddings/Embeddings.ts"
import { ExperimentStore } from "./experiments/ExperimentStore.ts"
import { GuardrailStore } from "./guardrails/GuardrailStore.ts"
import { InternStore } from "./interns/InternStore.ts"
import { InternChats } from "./interns/chat/InternChats.ts"
import { JobStore } from "./jobs/JobStore.ts"
import { LedgerStore } from "./ledger/LedgerStore.ts"
import { SpendCounters } from "./ledger/SpendCounters.ts"
import { Listing } from "./listing/Listing.ts"
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
import { AuditLog } from "./observability/audit/AuditLog.ts"
import { FailedRequestStore } from "./observability/failures/FailedRequestStore.ts"
import { GenerationStore } from "./observability/generations/GenerationStore.ts"
import { Reranks } from "./rerank/Reranks.ts"
import { RollupStore } from "./observability/rollups/RollupStore.ts"
import { loadLayer } from "./values/layerOnDemand.ts"
import { VaultStore } from "./vaults/VaultStore.ts"
import { VideoStore } from "./videos/VideoStore.ts"
import { Videos } from "./videos/Videos.ts"
import { DeliveryStore } from "./webhooks/DeliveryStore.ts"
import { WebhookStore } from "./workspaces/WebhookStore.ts"
import { WorkspaceStore } from "./workspaces/WorkspaceStore.ts"

/**
 * The groups of the contract with their handlers, each loaded with the first call of one of its operations. Probes have a
 * responder of their own.
 *
 * @internal
 */
export const operationGroups = {
  account: {
    contract: () => import("./accounts/http/AccountApi.ts").then(({ AccountApi }) => AccountApi),
    handlers: () =>
      import("./accounts/http/accountHandlers.ts").then(({ accountHandlers }) => accountHandlers)
  },
  activity: {
    contract: () =>
      import("./observability/http/ActivityApi.ts").then(({ ActivityApi }) => ActivityApi),
    handlers: () =>
      import("./observability/http/activityHandlers.ts").then(
        ({ activityHandlers }) => activityHandlers
      )
  },
  analytics: {
    contract: () =>
      import("./observability/http/AnalyticsApi.ts").then(({ AnalyticsApi }) => AnalyticsApi),
    handlers: () =>
      import("./observability/http/analyticsHandlers.ts").then(
        ({ analyticsHandlers }) => analyticsHandlers
      )
  },
  audit: {
    contract: () => import("./observability/http/AuditApi.ts").then(({ AuditApi }) => AuditApi),
    handlers: () =>
      import("./observability/http/auditHandlers.ts").then(({ auditHandlers }) => auditHandlers)
  },
  failedRequests: {
    contract: () =>
      import("./observability/http/FailedRequestsApi.ts").then(
        ({ FailedRequestsApi }) => FailedRequestsApi
      ),
    handlers: () =>
      import("./observability/http/failedRequestsHandlers.ts").then(
        ({ failedRequestsHandlers }) => failedRequestsHandlers
      )
  },
  byok: {
    contract: () => import("./byok/http/ByokApi.ts").then(({ ByokApi }) => ByokApi),
    handlers: () => import("./byok/http/byokHandlers.ts").then(({ byokHandlers }) => byokHandlers)
  },
  calibration: {
    contract: () =>
      import("./calibration/http/CalibrationApi.ts").then(({ CalibrationApi }) => CalibrationApi),
    handlers: () =>
      import("./calibration/http/calibrationHandlers.ts").then(
        ({ calibrationHandlers }) => calibrationHandlers
      )
  },
  // Without a contract, as the handlers read requests themselves.
  chat: {
    handlers: () => import("./chat/http/chatHandlers.ts").then(({ chatHandlers }) => chatHandlers)
  },
  credits: {
    contract: () => import("./ledger/http/CreditsApi.ts").then(({ CreditsApi }) => CreditsApi),
    handlers: () =>
      import("./ledger/http/creditsHandlers.ts").then(({ creditsHandlers }) => creditsHandlers)
  },
  decisions: {
    handlers: () =>
      import("./decisions/http/decisionsHandlers.ts").then(
        ({ decisionsHandlers }) => decisionsHandlers
      )
  },
  deliveries: {
    contract: () =>
      import("./webhooks/http/DeliveriesApi.ts").then(({ DeliveriesApi }) => DeliveriesApi),
    handlers: () =>
      import("./webhooks/http/deliveriesHandlers.ts").then(
        ({ deliveriesHandlers }) => deliveriesHandlers
      )
  },
  embeddings: {
    handlers: () =>
      import("./embeddings/http/embeddingsHandlers.ts").then(
        ({ embeddingsHandlers }) => embeddingsHandlers
      )
  },
  endpoints: {
    contract: () =>
      import("./listing/http/EndpointsApi.ts").then(({ EndpointsApi }) => EndpointsApi),
    handlers: () =>
      import("./listing/http/endpointsHandlers.ts").then(
        ({ endpointsHandlers }) => endpointsHandlers
      )
  },
  escalation: {
    contract: () =>
      import("./decisions/http/EscalationApi.ts").then(({ EscalationApi }) => EscalationApi),
    handlers: () =>
      import("./decisions/http/escalationHandlers.ts").then(
        ({ escalationHandlers }) => escalationHandlers
      )
  },
  experiments: {
    contract: () =>
      import("./experiments/http/ExperimentsApi.ts").then(({ ExperimentsApi }) => ExperimentsApi),
    handlers: () =>
      import("./experiments/http/experimentsHandlers.ts").then(
        ({ experimentsHandlers }) => experimentsHandlers
      )
  },
  generations: {
    contract: () =>
      import("./observability/http/GenerationsApi.ts").then(({ GenerationsApi }) => GenerationsApi),
    handlers: () =>
      import("./observability/http/generationsHandlers.ts").then(
        ({ generationsHandlers }) => generationsHandlers
      )
  },
  guardrails: {
    contract: () =>
      import("./guardrails/http/GuardrailsApi.ts").then(({ GuardrailsApi }) => GuardrailsApi),
    handlers: () =>
      import("./guardrails/http/guardrailsHandlers.ts").then(
        ({ guardrailsHandlers }) => guardrailsHandlers
      )
  },
  interns: {
    contract: () => import("./interns/http/InternsApi.ts").then(({ InternsApi }) => InternsApi),
    handlers: () =>
      import("./interns/http/internsHandlers.ts").then(({ internsHandlers }) => internsHandlers)
  },
  keys: {
    contract: () => import("./auth/http/KeysApi.ts").then(({ KeysApi }) => KeysApi),
    handlers: () => import("./auth/http/keysHandlers.ts").then(({ keysHandlers }) => keysHandlers)
  },
  limits: {
    contract: () => import("./routing/http/LimitsApi.ts").then(({ LimitsApi }) => LimitsApi),
    handlers: () =>
      import("./routing/http/limitsHandlers.ts").then(({ limitsHandlers }) => limitsHandlers)
  },
  // Like chats.
  messages: {
    handlers: () =>
      import("./messages/http/messagesHandlers.ts").then(({ messagesHandlers }) => messagesHandlers)
  },
  live: {
    contract: () => import("./observability/http/LiveApi.ts").then(({ LiveApi }) => LiveApi),
    handlers: () =>
      import("./observability/http/liveHandlers.ts").then(({ liveHandlers }) => liveHandlers)
  },
  models: {
    contract: () => import("./listing/http/ModelsApi.ts").then(({ ModelsApi }) => ModelsApi),
    handlers: () =>
      import("./listing/http/modelsHandlers.ts").then(({ modelsHandlers }) => modelsHandlers)
  },
  providers: {
    contract: () =>
      import("./listing/http/ProvidersApi.ts").then(({ ProvidersApi }) => ProvidersApi),
    handlers: () =>
      import("./listing/http/providersHandlers.ts").then(
        ({ providersHandlers }) => providersHandlers
      )
  },
  recordings: {
    contract: () =>
      import("./simulator/http/RecordingsApi.ts").then(({ RecordingsApi }) => RecordingsApi),
    handlers: () =>
      import("./simulator/http/recordingsHandlers.ts").then(
        ({ recordingsHandlers }) => recordingsHandlers
      )
  },
  reports: {
    contract: () => import("./http/reports/ReportsApi.ts").then(({ ReportsApi }) => ReportsApi),
    handlers: () =>
      import("./http/reports/reportsHandlers.ts").then(({ reportsHandlers }) => reportsHandlers)
  },
  rerank: {
    handlers: () =>
      import("./rerank/http/rerankHandlers.ts").then(({ rerankHandlers }) => rerankHandlers)
  },
  responses: {
    handlers: () =>
      import("./responses/http/responsesHandlers.ts").then(
        ({ responsesHandlers }) => responsesHandlers
      )
  },
  series: {
    contract: () => import("./observability/http/SeriesApi.ts").then(({ SeriesApi }) => SeriesApi),
    handlers: () =>
      import("./observability/http/seriesHandlers.ts").then(({ seriesHandlers }) => seriesHandlers)
  },
  vaults: {
    contract: () => import("./vaults/http/VaultsApi.ts").then(({ VaultsApi }) => VaultsApi),
    handlers: () =>
      import("./vaults/http/vaultsHandlers.ts").then(({ vaultsHandlers }) => vaultsHandlers)
  },
  videos: {
    contract: () => import("./videos/http/VideosApi.ts").then(({ VideosApi }) => VideosApi),
    handlers: () =>
      import("./videos/http/videosHandlers.ts").then(({ videosHandlers }) => videosHandlers)
  },
  webhooks: {
    contract: () =>
      import("./workspaces/http/WebhooksApi.ts").then(({ WebhooksApi }) => WebhooksApi),
    handlers: () =>
      import("./workspaces/http/webhooksHandlers.ts").then(
        ({ webhooksHandlers }) => webhooksHandlers
      )
  },
  workspaces: {
    contract: () =>
      import("./workspaces/http/WorkspacesApi.ts").then(({ WorkspacesApi }) => WorkspacesApi),
    handlers: () =>
      import("./workspaces/http/workspacesHandlers.ts").then(
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
  import("./webhooks/DeliveryWorker.ts").then(({ layerDeliveryWorker }) => layerDeliveryWorker)
)

/** The worker of interns. It runs until the instance is closed. */
export const layerInternWorker = loadLayer(() =>
  import("./interns/tasks/InternWorker.ts").then(({ layerInternWorker }) => layerInternWorker)
)

/** The workers of videos. They run until the instance is closed. */
export const layerVideoWorker = loadLayer(() =>
  import("./videos/VideoWorker.ts").then(({ layerVideoWorker }) => layerVideoWorker)
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
