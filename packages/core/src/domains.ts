/** Collects the parts that each domain adds to an instance: handlers, services and stores. */
import * as Layer from "effect/Layer"
import type { MemoryJournal } from "./memory/MemoryJournal.ts"
import { Transaction } from "./instance/Transaction.ts"
import { AlertRules } from "./domains/alerts/AlertRules.ts"
import { AlertRuleStore } from "./domains/alerts/AlertRule.ts"
import { AlertStore } from "./engine/observability/alerts/AlertStore.ts"
import { AccountStore } from "./tenants/accounts/AccountStore.ts"
import { ApiKeyStore } from "./tenants/auth/keys/ApiKeyStore.ts"
import { CredentialStore } from "./tenants/byok/CredentialStore.ts"
import { CalibrationStore } from "./domains/calibration/CalibrationStore.ts"
import { AuthCodeStore } from "./domains/pkce/AuthCode.ts"
import { AuthCodes } from "./domains/pkce/AuthCodes.ts"
import { Customers } from "./domains/customers/Customers.ts"
import { Decisions } from "./domains/decisions/Decisions.ts"
import { Embeddings } from "./domains/embeddings/Embeddings.ts"
import { ContentStore } from "./domains/content/ContentStore.ts"
import { ExperimentStore } from "./domains/experiments/ExperimentStore.ts"
import { GuardrailStore } from "./tenants/guardrails/GuardrailStore.ts"
import { Images } from "./domains/images/Images.ts"
import { InternStore } from "./domains/interns/InternStore.ts"
import { InternChats } from "./domains/interns/chat/InternChats.ts"
import { JobStore } from "./engine/jobs/JobStore.ts"
import { LedgerStore } from "./engine/ledger/LedgerStore.ts"
import { SpendCounters } from "./engine/ledger/SpendCounters.ts"
import { PersonStore } from "./domains/people/PersonStore.ts"
import { Presets } from "./domains/presets/Presets.ts"
import { PresetStore } from "./domains/presets/PresetStore.ts"
import { Listing } from "./domains/listing/Listing.ts"
import { AuditLog } from "./engine/observability/audit/AuditLog.ts"
import { FeedbackStore } from "./domains/feedback/FeedbackStore.ts"
import { FailedRequestStore } from "./engine/observability/failures/FailedRequest.ts"
import { GenerationStore } from "./engine/observability/generations/GenerationStore.ts"
import { Reranks } from "./domains/rerank/Reranks.ts"
import { ResponseCacheStore } from "./engine/cache/ResponseCacheStore.ts"
import { RollupStore } from "./engine/observability/rollups/RollupStore.ts"
import { Speeches } from "./domains/speech/Speeches.ts"
import { Transcriptions } from "./domains/transcription/Transcriptions.ts"
import { importNamed, loadLayer } from "./values/layerOnDemand.ts"
import { VaultStore } from "./domains/vaults/VaultStore.ts"
import { VideoStore } from "./domains/videos/VideoStore.ts"
import { Videos } from "./domains/videos/Videos.ts"
import { DeliveryStore } from "./tenants/webhooks/DeliveryStore.ts"
import { ScopedBudgets } from "./tenants/workspaces/ScopedBudgets.ts"
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
    contract: importNamed(() => import("./api/accounts/AccountApi.ts"), "AccountApi"),
    handlers: importNamed(() => import("./api/accounts/accountHandlers.ts"), "accountHandlers")
  },
  activity: {
    contract: importNamed(() => import("./api/observability/ActivityApi.ts"), "ActivityApi"),
    handlers: importNamed(
      () => import("./api/observability/activityHandlers.ts"),
      "activityHandlers"
    )
  },
  alertRules: {
    contract: importNamed(() => import("./api/alerts/AlertRulesApi.ts"), "AlertRulesApi"),
    handlers: importNamed(() => import("./api/alerts/alertRulesHandlers.ts"), "alertRulesHandlers")
  },
  alerts: {
    contract: importNamed(() => import("./api/alerts/AlertsApi.ts"), "AlertsApi"),
    handlers: importNamed(() => import("./api/alerts/alertsHandlers.ts"), "alertsHandlers")
  },
  analytics: {
    contract: importNamed(() => import("./api/observability/AnalyticsApi.ts"), "AnalyticsApi"),
    handlers: importNamed(
      () => import("./api/observability/analyticsHandlers.ts"),
      "analyticsHandlers"
    )
  },
  audit: {
    contract: importNamed(() => import("./api/observability/AuditApi.ts"), "AuditApi"),
    handlers: importNamed(() => import("./api/observability/auditHandlers.ts"), "auditHandlers")
  },
  failedRequests: {
    contract: importNamed(
      () => import("./api/observability/FailedRequestsApi.ts"),
      "FailedRequestsApi"
    ),
    handlers: importNamed(
      () => import("./api/observability/failedRequestsHandlers.ts"),
      "failedRequestsHandlers"
    )
  },
  budgets: {
    contract: importNamed(() => import("./api/workspaces/BudgetsApi.ts"), "BudgetsApi"),
    handlers: importNamed(() => import("./api/workspaces/budgetsHandlers.ts"), "budgetsHandlers")
  },
  byok: {
    contract: importNamed(() => import("./api/byok/ByokApi.ts"), "ByokApi"),
    handlers: importNamed(() => import("./api/byok/byokHandlers.ts"), "byokHandlers")
  },
  calibration: {
    contract: importNamed(() => import("./api/calibration/CalibrationApi.ts"), "CalibrationApi"),
    handlers: importNamed(
      () => import("./api/calibration/calibrationHandlers.ts"),
      "calibrationHandlers"
    )
  },
  // Without a contract, as the handlers read requests themselves.
  chat: {
    handlers: importNamed(() => import("./api/chat/chatHandlers.ts"), "chatHandlers")
  },
  credits: {
    contract: importNamed(() => import("./api/ledger/CreditsApi.ts"), "CreditsApi"),
    handlers: importNamed(() => import("./api/ledger/creditsHandlers.ts"), "creditsHandlers")
  },
  customers: {
    contract: importNamed(() => import("./api/customers/CustomersApi.ts"), "CustomersApi"),
    handlers: importNamed(() => import("./api/customers/customersHandlers.ts"), "customersHandlers")
  },
  decisions: {
    handlers: importNamed(() => import("./api/decisions/decisionsHandlers.ts"), "decisionsHandlers")
  },
  deliveries: {
    contract: importNamed(() => import("./api/webhooks/DeliveriesApi.ts"), "DeliveriesApi"),
    handlers: importNamed(
      () => import("./api/webhooks/deliveriesHandlers.ts"),
      "deliveriesHandlers"
    )
  },
  embeddings: {
    handlers: importNamed(
      () => import("./api/embeddings/embeddingsHandlers.ts"),
      "embeddingsHandlers"
    )
  },
  endpoints: {
    contract: importNamed(() => import("./api/listing/EndpointsApi.ts"), "EndpointsApi"),
    handlers: importNamed(() => import("./api/listing/endpointsHandlers.ts"), "endpointsHandlers")
  },
  escalation: {
    contract: importNamed(() => import("./api/decisions/EscalationApi.ts"), "EscalationApi"),
    handlers: importNamed(
      () => import("./api/decisions/escalationHandlers.ts"),
      "escalationHandlers"
    )
  },
  experiments: {
    contract: importNamed(() => import("./api/experiments/ExperimentsApi.ts"), "ExperimentsApi"),
    handlers: importNamed(
      () => import("./api/experiments/experimentsHandlers.ts"),
      "experimentsHandlers"
    )
  },
  generations: {
    contract: importNamed(() => import("./api/observability/GenerationsApi.ts"), "GenerationsApi"),
    handlers: importNamed(
      () => import("./api/observability/generationsHandlers.ts"),
      "generationsHandlers"
    )
  },
  guardrails: {
    contract: importNamed(() => import("./api/guardrails/GuardrailsApi.ts"), "GuardrailsApi"),
    handlers: importNamed(
      () => import("./api/guardrails/guardrailsHandlers.ts"),
      "guardrailsHandlers"
    )
  },
  // Like chats.
  images: {
    handlers: importNamed(() => import("./api/images/imagesHandlers.ts"), "imagesHandlers")
  },
  imageModels: {
    contract: importNamed(() => import("./api/listing/ImageModelsApi.ts"), "ImageModelsApi"),
    handlers: importNamed(
      () => import("./api/listing/imageModelsHandlers.ts"),
      "imageModelsHandlers"
    )
  },
  interns: {
    contract: importNamed(() => import("./api/interns/InternsApi.ts"), "InternsApi"),
    handlers: importNamed(() => import("./api/interns/internsHandlers.ts"), "internsHandlers")
  },
  keys: {
    contract: importNamed(() => import("./api/auth/KeysApi.ts"), "KeysApi"),
    handlers: importNamed(() => import("./api/auth/keysHandlers.ts"), "keysHandlers")
  },
  limits: {
    contract: importNamed(() => import("./api/routing/LimitsApi.ts"), "LimitsApi"),
    handlers: importNamed(() => import("./api/routing/limitsHandlers.ts"), "limitsHandlers")
  },
  // Like chats.
  messages: {
    handlers: importNamed(() => import("./api/messages/messagesHandlers.ts"), "messagesHandlers")
  },
  live: {
    contract: importNamed(() => import("./api/observability/LiveApi.ts"), "LiveApi"),
    handlers: importNamed(() => import("./api/observability/liveHandlers.ts"), "liveHandlers")
  },
  models: {
    contract: importNamed(() => import("./api/listing/ModelsApi.ts"), "ModelsApi"),
    handlers: importNamed(() => import("./api/listing/modelsHandlers.ts"), "modelsHandlers")
  },
  oAuth: {
    contract: importNamed(() => import("./api/pkce/OAuthApi.ts"), "OAuthApi"),
    handlers: importNamed(() => import("./api/pkce/oAuthHandlers.ts"), "oAuthHandlers")
  },
  organization: {
    contract: importNamed(() => import("./api/organization/OrganizationApi.ts"), "OrganizationApi"),
    handlers: importNamed(
      () => import("./api/organization/organizationHandlers.ts"),
      "organizationHandlers"
    )
  },
  people: {
    contract: importNamed(() => import("./api/observability/PeopleApi.ts"), "PeopleApi"),
    handlers: importNamed(() => import("./api/observability/peopleHandlers.ts"), "peopleHandlers")
  },
  presets: {
    contract: importNamed(() => import("./api/presets/PresetsApi.ts"), "PresetsApi"),
    handlers: importNamed(() => import("./api/presets/presetsHandlers.ts"), "presetsHandlers")
  },
  providers: {
    contract: importNamed(() => import("./api/listing/ProvidersApi.ts"), "ProvidersApi"),
    handlers: importNamed(() => import("./api/listing/providersHandlers.ts"), "providersHandlers")
  },
  recordings: {
    contract: importNamed(() => import("./api/simulator/RecordingsApi.ts"), "RecordingsApi"),
    handlers: importNamed(
      () => import("./api/simulator/recordingsHandlers.ts"),
      "recordingsHandlers"
    )
  },
  reports: {
    contract: importNamed(() => import("./api/reports/ReportsApi.ts"), "ReportsApi"),
    handlers: importNamed(() => import("./api/reports/reportsHandlers.ts"), "reportsHandlers")
  },
  rerank: {
    handlers: importNamed(() => import("./api/rerank/rerankHandlers.ts"), "rerankHandlers")
  },
  responses: {
    handlers: importNamed(() => import("./api/responses/responsesHandlers.ts"), "responsesHandlers")
  },
  series: {
    contract: importNamed(() => import("./api/observability/SeriesApi.ts"), "SeriesApi"),
    handlers: importNamed(() => import("./api/observability/seriesHandlers.ts"), "seriesHandlers")
  },
  speech: {
    handlers: importNamed(() => import("./api/speech/speechHandlers.ts"), "speechHandlers")
  },
  transcription: {
    handlers: importNamed(
      () => import("./api/transcription/transcriptionHandlers.ts"),
      "transcriptionHandlers"
    )
  },
  vaults: {
    contract: importNamed(() => import("./api/vaults/VaultsApi.ts"), "VaultsApi"),
    handlers: importNamed(() => import("./api/vaults/vaultsHandlers.ts"), "vaultsHandlers")
  },
  videos: {
    contract: importNamed(() => import("./api/videos/VideosApi.ts"), "VideosApi"),
    handlers: importNamed(() => import("./api/videos/videosHandlers.ts"), "videosHandlers")
  },
  webhooks: {
    contract: importNamed(() => import("./api/workspaces/WebhooksApi.ts"), "WebhooksApi"),
    handlers: importNamed(() => import("./api/workspaces/webhooksHandlers.ts"), "webhooksHandlers")
  },
  workspaces: {
    contract: importNamed(() => import("./api/workspaces/WorkspacesApi.ts"), "WorkspacesApi"),
    handlers: importNamed(
      () => import("./api/workspaces/workspacesHandlers.ts"),
      "workspacesHandlers"
    )
  }
}

/** The services that no other service requires; `layer.ts` provides the ones they use. */
export const domainServices = Layer.mergeAll(
  AlertRules.layer,
  InternChats.layer,
  AuthCodes.layer,
  Customers.layer,
  Decisions.layer,
  Embeddings.layer,
  Images.layer,
  Listing.layer,
  Presets.layer,
  Reranks.layer,
  ScopedBudgets.layer,
  Speeches.layer,
  Transcriptions.layer,
  Videos.layer
)

/** The worker of alerts, for hosts with `alerts`. It runs until the instance is closed. */
export const layerAlertWorker = loadLayer(
  importNamed(() => import("./domains/alerts/AlertWorker.ts"), "layerAlertWorker")
)

/** Watches limits and providers. It runs until the instance is closed. */
export const layerAlertWatch = loadLayer(
  importNamed(() => import("./domains/alerts/layerAlertWatch.ts"), "layerAlertWatch")
)

/** The worker of deliveries. It runs until the instance is closed. */
export const layerDeliveryWorker = loadLayer(
  importNamed(() => import("./tenants/webhooks/DeliveryWorker.ts"), "layerDeliveryWorker")
)

/** The worker of interns. It runs until the instance is closed. */
export const layerInternWorker = loadLayer(
  importNamed(() => import("./domains/interns/tasks/InternWorker.ts"), "layerInternWorker")
)

/** The workers of videos. They run until the instance is closed. */
export const layerVideoWorker = loadLayer(
  importNamed(() => import("./domains/videos/VideoWorker.ts"), "layerVideoWorker")
)

/** Every worker. Everything that they work on begins with a durable step. */
export const domainWorkers = Layer.mergeAll(
  layerAlertWorker,
  layerDeliveryWorker,
  layerInternWorker,
  layerVideoWorker
)

/** The services of `domainServices`. */
export type DomainServices = Layer.Success<typeof domainServices>

/** Every storage port. */
export const storePorts = [
  AccountStore,
  AlertRuleStore,
  AlertStore,
  ApiKeyStore,
  Transaction,
  AuditLog,
  AuthCodeStore,
  CalibrationStore,
  ContentStore,
  CredentialStore,
  DeliveryStore,
  ExperimentStore,
  FailedRequestStore,
  FeedbackStore,
  GenerationStore,
  GuardrailStore,
  InternStore,
  JobStore,
  LedgerStore,
  PersonStore,
  PresetStore,
  ResponseCacheStore,
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
export const memoryStores: Layer.Layer<Stores | MemoryJournal> = loadLayer(
  importNamed(() => import("./memory/layerMemoryStores.ts"), "layerMemoryStores")
)
