/** Every store in the memory of this process: what they keep ends with it. */
import * as Layer from "effect/Layer"
import { AccountStore } from "./accounts/AccountStore.ts"
import { Transaction } from "./Transaction.ts"
import { ApiKeyStore } from "./auth/ApiKeyStore.ts"
import { CredentialStore } from "./byok/CredentialStore.ts"
import { GuardrailStore } from "./guardrails/GuardrailStore.ts"
import { InternStore } from "./interns/InternStore.ts"
import { JobStore } from "./jobs/JobStore.ts"
import { LedgerStore } from "./ledger/LedgerStore.ts"
import { SpendCounters } from "./ledger/SpendCounters.ts"
import { MemoryJournal } from "./MemoryJournal.ts"
import { AuditLog } from "./observability/AuditLog.ts"
import { GenerationStore } from "./observability/GenerationStore.ts"
import type { Stores } from "./storePorts.ts"
import { VaultStore } from "./vaults/VaultStore.ts"
import { DeliveryStore } from "./webhooks/DeliveryStore.ts"
import { VideoStore } from "./videos/VideoStore.ts"
import { WebhookStore } from "./workspaces/WebhookStore.ts"
import { WorkspaceStore } from "./workspaces/WorkspaceStore.ts"

/** Also the journal, for a store of one's own that joins their transactions. */
export const memoryStores: Layer.Layer<Stores | MemoryJournal> = Layer.mergeAll(
  AccountStore.layerMemory,
  ApiKeyStore.layerMemory,
  Transaction.layerMemory,
  AuditLog.layerMemory,
  CredentialStore.layerMemory,
  DeliveryStore.layerMemory,
  GenerationStore.layerMemory,
  GuardrailStore.layerMemory,
  InternStore.layerMemory,
  JobStore.layerMemory,
  LedgerStore.layerMemory,
  VaultStore.layerMemory,
  VideoStore.layerMemory,
  WebhookStore.layerMemory,
  WorkspaceStore.layerMemory
).pipe(Layer.provideMerge(SpendCounters.layerMemory), Layer.provideMerge(MemoryJournal.layer))
