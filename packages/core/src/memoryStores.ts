/** Every store in the memory of this process: what they keep ends with it. */
import * as Layer from "effect/Layer"
import { MemoryJournal } from "./MemoryJournal.ts"
import type { Stores } from "./storePorts.ts"
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

/** Also the journal, for a store of one's own that joins their transactions. */
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
