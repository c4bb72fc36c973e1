/**
 * All migrations, in order. A released one never changes: `packages/sql/migrations.json` holds the hash of its
 * statements. Add a new one at the end and run `npm run migrations` to record its hash.
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

/** The steps of a migration on one database: SQL statements and rewrites of JSON documents. */
export type Migration = (dialect: Dialect) => ReadonlyArray<string | DocumentRewrite>

/** By unique number and name. */
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
