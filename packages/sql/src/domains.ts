/** What each domain keeps in a database: its stores, and the migrations that made their tables. */
import { SavedViewStore } from "@signalbox/core/stores"
import * as Layer from "effect/Layer"
import { createOwnedTable } from "./migrations/createOwnedTable.ts"
import type { Migration } from "./migrations/Migration.ts"
import { actingUsers } from "./migrations/steps/actingUsers.ts"
import { alerts } from "./migrations/steps/alerts.ts"
import { authCodes } from "./migrations/steps/authCodes.ts"
import { boundedSums } from "./migrations/steps/boundedSums.ts"
import { cachedAnswers } from "./migrations/steps/cachedAnswers.ts"
import { calibration } from "./migrations/steps/calibration.ts"
import { calibrationChanges } from "./migrations/steps/calibrationChanges.ts"
import { changes } from "./migrations/steps/changes.ts"
import { customers } from "./migrations/steps/customers.ts"
import { deliveries } from "./migrations/steps/deliveries.ts"
import { keptContents } from "./migrations/steps/keptContents.ts"
import { experiments } from "./migrations/steps/experiments.ts"
import { failedRequests } from "./migrations/steps/failedRequests.ts"
import { generationFigures } from "./migrations/steps/generationFigures.ts"
import { generationFilters } from "./migrations/steps/generationFilters.ts"
import { generationPresets } from "./migrations/steps/generationPresets.ts"
import { generationTags } from "./migrations/steps/generationTags.ts"
import { incidents } from "./migrations/steps/incidents.ts"
import { interns } from "./migrations/steps/interns.ts"
import { jobs } from "./migrations/steps/jobs.ts"
import { jobsInUtc } from "./migrations/steps/jobsInUtc.ts"
import { ledger } from "./migrations/steps/ledger.ts"
import { ledgerBatches } from "./migrations/steps/ledgerBatches.ts"
import { ledgerClock } from "./migrations/steps/ledgerClock.ts"
import { presets } from "./migrations/steps/presets.ts"
import { processes } from "./migrations/steps/processes.ts"
import { resealing } from "./migrations/steps/resealing.ts"
import { rollups } from "./migrations/steps/rollups.ts"
import { scopedBudgets } from "./migrations/steps/scopedBudgets.ts"
import { standardTerms } from "./migrations/steps/standardTerms.ts"
import { stores } from "./migrations/steps/stores.ts"
import { trafficControls } from "./migrations/steps/trafficControls.ts"
import { vaults } from "./migrations/steps/vaults.ts"
import { videoContent } from "./migrations/steps/videoContent.ts"
import { videoJobs } from "./migrations/steps/videoJobs.ts"
import { videoPictures } from "./migrations/steps/videoPictures.ts"
import { writtenBatches } from "./migrations/steps/writtenBatches.ts"
import { ownedStore } from "./rows/makeOwnedStore.ts"
import { accountStore } from "./stores/accountStore.ts"
import { alertRuleStore } from "./stores/alertRuleStore.ts"
import { alertStore } from "./stores/alertStore.ts"
import { apiKeyStore } from "./stores/apiKeyStore.ts"
import { auditLog } from "./stores/auditLog.ts"
import { authCodeStore } from "./stores/authCodeStore.ts"
import { calibrationStore } from "./stores/calibrationStore.ts"
import { contentStore } from "./stores/contentStore.ts"
import { credentialStore } from "./stores/credentialStore.ts"
import { deliveryStore } from "./stores/deliveryStore.ts"
import { experimentStore } from "./stores/experimentStore.ts"
import { failedRequestStore } from "./stores/failedRequestStore.ts"
import { feedbackStore } from "./stores/feedbackStore.ts"
import { generationStore } from "./stores/generationStore.ts"
import { guardrailStore } from "./stores/guardrailStore.ts"
import { incidentStore } from "./stores/incidentStore.ts"
import { internStore } from "./stores/internStore.ts"
import { jobStore } from "./stores/jobStore.ts"
import { ledgerStore } from "./stores/ledgerStore.ts"
import { personStore } from "./stores/personStore.ts"
import { presetStore } from "./stores/presetStore.ts"
import { responseCacheStore } from "./stores/responseCacheStore.ts"
import { rollupStore } from "./stores/rollupStore.ts"
import { spendCounters } from "./stores/spendCounters.ts"
import { trafficControlStore } from "./stores/trafficControlStore.ts"
import { transaction } from "./stores/transaction.ts"
import { vaultStore } from "./stores/vaultStore.ts"
import { videoStore } from "./stores/videoStore.ts"
import { webhookStore } from "./stores/webhookStore.ts"
import { workspaceStore } from "./stores/workspaceStore.ts"

/** Every store port of the core, on the database of the client. */
export const sqlStores = Layer.mergeAll(
  accountStore,
  alertRuleStore,
  alertStore,
  apiKeyStore,
  transaction,
  auditLog,
  authCodeStore,
  calibrationStore,
  contentStore,
  credentialStore,
  deliveryStore,
  experimentStore,
  failedRequestStore,
  feedbackStore,
  generationStore,
  guardrailStore,
  incidentStore,
  internStore,
  jobStore,
  ledgerStore,
  personStore,
  presetStore,
  responseCacheStore,
  ownedStore(SavedViewStore, "saved_views"),
  spendCounters,
  trafficControlStore,
  vaultStore,
  videoStore,
  webhookStore,
  workspaceStore
).pipe(Layer.provideMerge(rollupStore))

/**
 * All migrations by unique number and name, in order. A released one never changes: `packages/sql/migrations.json` holds
 * the hash of its statements. Add a new one at the end and run `npm run migrations` to record its hash.
 */
export const migrations: Readonly<Record<string, Migration>> = {
  "1_stores": stores,
  "2_ledger": ledger,
  "3_jobs": jobs,
  "4_changes": changes,
  "5_deliveries": deliveries,
  "6_video_jobs": videoJobs,
  "7_vaults": vaults,
  "8_interns": interns,
  "9_resealing": resealing,
  "10_video_pictures": videoPictures,
  "11_video_content": videoContent,
  "12_bounded_sums": boundedSums,
  "13_ledger_clock": ledgerClock,
  "14_standard_terms": standardTerms,
  "15_rollups": rollups,
  "16_generation_filters": generationFilters,
  "17_experiments": experiments,
  "18_calibration": calibration,
  "19_calibration_changes": calibrationChanges,
  "20_failed_requests": failedRequests,
  "21_acting_users": actingUsers,
  "22_customers": customers,
  "23_scoped_budgets": scopedBudgets,
  "24_alerts": alerts,
  "25_kept_contents": keptContents,
  "26_presets": presets,
  "27_auth_codes": authCodes,
  "28_cached_answers": cachedAnswers,
  "29_jobs_in_utc": jobsInUtc,
  "30_generation_presets": generationPresets,
  "31_ledger_batches": ledgerBatches,
  "32_traffic_controls": trafficControls,
  "33_written_batches": writtenBatches,
  "34_generation_figures": generationFigures,
  "35_processes": processes,
  "36_incidents": incidents,
  "37_saved_views": (dialect) => createOwnedTable(dialect, "saved_views"),
  "38_generation_tags": generationTags
}
