/** Collects the parts that each domain adds to an instance: handlers, services and stores. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MemoryJournal } from "./MemoryJournal.ts"
import { Transaction } from "./Transaction.ts"
import { AccountStore } from "./accounts/AccountStore.ts"
import { accountHandlers } from "./accounts/http/accountHandlers.ts"
import { ApiKeyStore } from "./auth/keys/ApiKeyStore.ts"
import { keysHandlers } from "./auth/http/keysHandlers.ts"
import { CredentialStore } from "./byok/CredentialStore.ts"
import { byokHandlers } from "./byok/http/byokHandlers.ts"
import { chatHandlers } from "./chat/http/chatHandlers.ts"
import { Decisions } from "./decisions/Decisions.ts"
import { GuardrailStore } from "./guardrails/GuardrailStore.ts"
import { guardrailsHandlers } from "./guardrails/http/guardrailsHandlers.ts"
import { reportsHandlers } from "./http/reports/reportsHandlers.ts"
import { InternStore } from "./interns/InternStore.ts"
import { InternChats } from "./interns/chat/InternChats.ts"
import { internsHandlers } from "./interns/http/internsHandlers.ts"
import { JobStore } from "./jobs/JobStore.ts"
import { LedgerStore } from "./ledger/LedgerStore.ts"
import { SpendCounters } from "./ledger/SpendCounters.ts"
import { creditsHandlers } from "./ledger/http/creditsHandlers.ts"
import { Listing } from "./listing/Listing.ts"
import { endpointsHandlers } from "./listing/http/endpointsHandlers.ts"
import { modelsHandlers } from "./listing/http/modelsHandlers.ts"
import { providersHandlers } from "./listing/http/providersHandlers.ts"
import { memoryAccountStore } from "./memory/memoryAccountStore.ts"
import { memoryApiKeyStore } from "./memory/memoryApiKeyStore.ts"
import { memoryAuditLog } from "./memory/memoryAuditLog.ts"
import { memoryCredentialStore } from "./memory/memoryCredentialStore.ts"
import { memoryDeliveryStore } from "./memory/memoryDeliveryStore.ts"
import { memoryGenerationStore } from "./memory/memoryGenerationStore.ts"
import { memoryGuardrailStore } from "./memory/memoryGuardrailStore.ts"
import { memoryInternStore } from "./memory/memoryInternStore.ts"
import { memoryJobStore } from "./memory/memoryJobStore.ts"
import { memoryLedgerStore } from "./memory/memoryLedgerStore.ts"
import { memorySpendCounters } from "./memory/memorySpendCounters.ts"
import { memoryTransaction } from "./memory/memoryTransaction.ts"
import { memoryVaultStore } from "./memory/memoryVaultStore.ts"
import { memoryVideoStore } from "./memory/memoryVideoStore.ts"
import { memoryWebhookStore } from "./memory/memoryWebhookStore.ts"
import { memoryWorkspaceStore } from "./memory/memoryWorkspaceStore.ts"
import { AuditLog } from "./observability/audit/AuditLog.ts"
import { GenerationStore } from "./observability/generations/GenerationStore.ts"
import { auditHandlers } from "./observability/http/auditHandlers.ts"
import { generationsHandlers } from "./observability/http/generationsHandlers.ts"
import { VaultStore } from "./vaults/VaultStore.ts"
import { vaultsHandlers } from "./vaults/http/vaultsHandlers.ts"
import { VideoStore } from "./videos/VideoStore.ts"
import { Videos } from "./videos/Videos.ts"
import { videosHandlers } from "./videos/http/videosHandlers.ts"
import { DeliveryStore } from "./webhooks/DeliveryStore.ts"
import { deliveriesHandlers } from "./webhooks/http/deliveriesHandlers.ts"
import { WebhookStore } from "./workspaces/WebhookStore.ts"
import { WorkspaceStore } from "./workspaces/WorkspaceStore.ts"
import { webhooksHandlers } from "./workspaces/http/webhooksHandlers.ts"
import { workspacesHandlers } from "./workspaces/http/workspacesHandlers.ts"

/**
 * The handlers of each group of the contract. Decisions and probes have responders of their own.
 *
 * @internal
 */
export const domainHandlers = Effect.all({
  account: accountHandlers,
  audit: auditHandlers,
  byok: byokHandlers,
  chat: chatHandlers,
  credits: creditsHandlers,
  deliveries: deliveriesHandlers,
  endpoints: endpointsHandlers,
  generations: generationsHandlers,
  guardrails: guardrailsHandlers,
  interns: internsHandlers,
  keys: keysHandlers,
  models: modelsHandlers,
  providers: providersHandlers,
  reports: reportsHandlers,
  vaults: vaultsHandlers,
  videos: videosHandlers,
  webhooks: webhooksHandlers,
  workspaces: workspacesHandlers
})

/** The services that no other service requires; `layer.ts` provides the ones they use. */
export const domainServices = Layer.mergeAll(
  InternChats.layer,
  Decisions.layer,
  Listing.layer,
  Videos.layer
)

/** The services of `domainServices`. */
export type DomainServices = Layer.Success<typeof domainServices>

/** Every storage port. */
export const storePorts = [
  AccountStore,
  ApiKeyStore,
  Transaction,
  AuditLog,
  CredentialStore,
  DeliveryStore,
  GenerationStore,
  GuardrailStore,
  InternStore,
  JobStore,
  LedgerStore,
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
  memoryGenerationStore,
  memoryGuardrailStore,
  memoryInternStore,
  memoryJobStore,
  memoryLedgerStore,
  memoryVaultStore,
  memoryVideoStore,
  memoryWebhookStore,
  memoryWorkspaceStore
).pipe(Layer.provideMerge(memorySpendCounters), Layer.provideMerge(MemoryJournal.layer))
