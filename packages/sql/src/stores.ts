/** Every store port of the core, on whatever database the client is of. */
import * as Layer from "effect/Layer"
import { transaction } from "./transaction.ts"
import { accountStore } from "./stores/accountStore.ts"
import { apiKeyStore } from "./stores/apiKeyStore.ts"
import { auditLog } from "./stores/auditLog.ts"
import { credentialStore } from "./stores/credentialStore.ts"
import { deliveryStore } from "./stores/deliveryStore.ts"
import { generationStore } from "./stores/generationStore.ts"
import { guardrailStore } from "./stores/guardrailStore.ts"
import { internStore } from "./stores/internStore.ts"
import { jobStore } from "./stores/jobStore.ts"
import { ledgerStore } from "./stores/ledgerStore.ts"
import { spendCounters } from "./stores/spendCounters.ts"
import { vaultStore } from "./stores/vaultStore.ts"
import { videoStore } from "./stores/videoStore.ts"
import { webhookStore } from "./stores/webhookStore.ts"
import { workspaceStore } from "./stores/workspaceStore.ts"

export const stores = Layer.mergeAll(
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
