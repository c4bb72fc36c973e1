/**
 * What the schema became, step by step. Only ever added to: `migrations.json` keeps the hash of each step,
 * and `npm run migrations` adds that of a new one.
 */
import type { Dialect } from "./dialect.ts"
import { boundedSums } from "./migrations/boundedSums.ts"
import { changes } from "./migrations/changes.ts"
import { deliveries } from "./migrations/deliveries.ts"
import { interns } from "./migrations/interns.ts"
import { jobs } from "./migrations/jobs.ts"
import { ledger } from "./migrations/ledger.ts"
import { ledgerClock } from "./migrations/ledgerClock.ts"
import type { DocumentRewrite } from "./migrations/rewriteDocuments.ts"
import { resealing } from "./migrations/resealing.ts"
import { standardTerms } from "./migrations/standardTerms.ts"
import { stores } from "./migrations/stores.ts"
import { vaults } from "./migrations/vaults.ts"
import { videoContent } from "./migrations/videoContent.ts"
import { videoJobs } from "./migrations/videoJobs.ts"
import { videoPictures } from "./migrations/videoPictures.ts"

/** Steps that run one after the other in one transaction: SQL statements, and rewrites of JSON documents. */
export type Migration = (dialect: Dialect) => ReadonlyArray<string | DocumentRewrite>

/** By number and name; a number is given once. */
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
  "14_standard_terms": standardTerms
}
