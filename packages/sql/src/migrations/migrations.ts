/**
 * What the schema became, step by step. Only ever added to: `migrations.json` keeps the hash of each step,
 * and `npm run migrations` adds that of a new one.
 */
import type { Dialect } from "../connection/dialect.ts"
import { boundedSums } from "./steps/boundedSums.ts"
import { changes } from "./steps/changes.ts"
import { deliveries } from "./steps/deliveries.ts"
import { interns } from "./steps/interns.ts"
import { jobs } from "./steps/jobs.ts"
import { ledger } from "./steps/ledger.ts"
import { ledgerClock } from "./steps/ledgerClock.ts"
import type { DocumentRewrite } from "./rewriteDocuments.ts"
import { resealing } from "./steps/resealing.ts"
import { standardTerms } from "./steps/standardTerms.ts"
import { stores } from "./steps/stores.ts"
import { vaults } from "./steps/vaults.ts"
import { videoContent } from "./steps/videoContent.ts"
import { videoJobs } from "./steps/videoJobs.ts"
import { videoPictures } from "./steps/videoPictures.ts"

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
