/** All stores in memory. Loaded on demand, because an instance with a database needs none. */
import * as Layer from "effect/Layer"
import { renameSavedView } from "../domains/people/renameRecords.ts"
import { SavedViewStore } from "../domains/views/SavedViewStore.ts"
import { layerMemoryPeople, memoryPersonStore } from "./MemoryPeople.ts"
import { memoryAccountStore } from "./memoryAccountStore.ts"
import { memoryAlertRuleStore } from "./memoryAlertRuleStore.ts"
import { memoryAlertStore } from "./memoryAlertStore.ts"
import { memoryApiKeyStore } from "./memoryApiKeyStore.ts"
import { memoryAuditLog } from "./memoryAuditLog.ts"
import { memoryAuthCodeStore } from "./memoryAuthCodeStore.ts"
import { memoryCalibrationStore } from "./memoryCalibrationStore.ts"
import { memoryContentStore } from "./memoryContentStore.ts"
import { memoryCredentialStore } from "./memoryCredentialStore.ts"
import { memoryDeliveryStore } from "./memoryDeliveryStore.ts"
import { memoryExperimentStore } from "./memoryExperimentStore.ts"
import { memoryFailedRequestStore } from "./memoryFailedRequestStore.ts"
import { memoryFeedbackStore } from "./memoryFeedbackStore.ts"
import { memoryGenerationStore } from "./memoryGenerationStore.ts"
import { memoryGuardrailStore } from "./memoryGuardrailStore.ts"
import { memoryIncidentStore } from "./memoryIncidentStore.ts"
import { memoryInternStore } from "./memoryInternStore.ts"
import { memoryJobStore } from "./memoryJobStore.ts"
import { MemoryJournal, memoryTransaction } from "./MemoryJournal.ts"
import { memoryLedgerStore } from "./memoryLedgerStore.ts"
import { memoryOwnedStore } from "./ownedRows.ts"
import { memoryPresetStore } from "./memoryPresetStore.ts"
import { memoryResponseCacheStore } from "./memoryResponseCacheStore.ts"
import { memoryRollupStore } from "./memoryRollupStore.ts"
import { memorySpendCounters } from "./memorySpendCounters.ts"
import { memoryTrafficControlStore } from "./memoryTrafficControlStore.ts"
import { memoryVaultStore } from "./memoryVaultStore.ts"
import { memoryVideoStore } from "./memoryVideoStore.ts"
import { memoryWebhookStore } from "./memoryWebhookStore.ts"
import { memoryWorkspaceStore } from "./memoryWorkspaceStore.ts"

export const layerMemoryStores = Layer.mergeAll(
  memoryAccountStore,
  memoryAlertRuleStore,
  memoryAlertStore,
  memoryApiKeyStore,
  memoryTransaction,
  memoryAuditLog,
  memoryAuthCodeStore,
  memoryContentStore,
  memoryCredentialStore,
  memoryDeliveryStore,
  memoryExperimentStore,
  memoryFailedRequestStore,
  memoryGuardrailStore,
  memoryInternStore,
  memoryJobStore,
  memoryLedgerStore,
  memoryPersonStore,
  memoryPresetStore,
  memoryOwnedStore(SavedViewStore, renameSavedView),
  memoryResponseCacheStore,
  memoryVaultStore,
  memoryVideoStore,
  memoryWebhookStore,
  memoryWorkspaceStore,
  Layer.mergeAll(
    memoryCalibrationStore,
    memoryFeedbackStore,
    memoryIncidentStore,
    memoryTrafficControlStore
  )
).pipe(
  Layer.provideMerge(memoryGenerationStore),
  Layer.provideMerge([memoryRollupStore, memorySpendCounters]),
  Layer.provide(layerMemoryPeople),
  Layer.provideMerge(MemoryJournal.layer)
)
