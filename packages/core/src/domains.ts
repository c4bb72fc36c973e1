/** Collects the parts that each domain adds to an instance: handlers, services and stores. */
import * as Layer from "effect/Layer"
import type { MemoryJournal } from "./memory/MemoryJournal.ts"
import { Transaction } from "./instance/Transaction.ts"
import { AlertRules } from "./domains/alerts/AlertRules.ts"
import { AlertRuleStore } from "./domains/alerts/AlertRuleStore.ts"
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
import { IncidentStore } from "./domains/incidents/IncidentStore.ts"
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
import { TrafficControlStore } from "./engine/health/control/TrafficControlStore.ts"
import { Speeches } from "./domains/speech/Speeches.ts"
import { Transcriptions } from "./domains/transcription/Transcriptions.ts"
import { importNamed, loadLayer } from "./values/layerOnDemand.ts"
import { SavedViews } from "./domains/views/SavedViews.ts"
import { SavedViewStore } from "./domains/views/SavedViewStore.ts"
import { VaultStore } from "./domains/vaults/VaultStore.ts"
import { VideoStore } from "./domains/videos/VideoStore.ts"
import { Videos } from "./domains/videos/Videos.ts"
import { DeliveryStore } from "./tenants/webhooks/DeliveryStore.ts"
import { ScopedBudgets } from "./tenants/workspaces/ScopedBudgets.ts"
import { WebhookStore } from "./tenants/workspaces/WebhookStore.ts"
import { WorkspaceStore } from "./tenants/workspaces/WorkspaceStore.ts"

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
  SavedViews.layer,
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
  IncidentStore,
  InternStore,
  JobStore,
  LedgerStore,
  PersonStore,
  PresetStore,
  ResponseCacheStore,
  RollupStore,
  SavedViewStore,
  SpendCounters,
  TrafficControlStore,
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
