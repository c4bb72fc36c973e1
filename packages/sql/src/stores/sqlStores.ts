/** Every store port of the core, on the database of the client. */
import * as Layer from "effect/Layer"
import { transaction } from "./transaction.ts"
import { accountStore } from "./accountStore.ts"
import { apiKeyStore } from "./apiKeyStore.ts"
import { auditLog } from "./auditLog.ts"
import { credentialStore } from "./credentialStore.ts"
import { deliveryStore } from "./deliveryStore.ts"
import { generationStore } from "./generationStore.ts"
import { guardrailStore } from "./guardrailStore.ts"
import { internStore } from "./internStore.ts"
import { jobStore } from "./jobStore.ts"
import { ledgerStore } from "./ledgerStore.ts"
import { spendCounters } from "./spendCounters.ts"
import { vaultStore } from "./vaultStore.ts"
import { videoStore } from "./videoStore.ts"
import { webhookStore } from "./webhookStore.ts"
import { workspaceStore } from "./workspaceStore.ts"

export const sqlStores = Layer.mergeAll(
  accountStore,
  apiKeyStore,
  transaction,
  auditLog,
  credentialStore,
  deliveryStore,
  generationStore,
  guardrailStore,
  internStore,
  jobStore,
  ledgerStore,
  spendCounters,
  vaultStore,
  videoStore,
  webhookStore,
  workspaceStore
)
