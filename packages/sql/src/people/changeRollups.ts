/** Renames a person in figures. */
import {
  decodeRollup,
  encodeRollup,
  mayNamePerson,
  type Renaming,
  renameRollup
} from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import { findText } from "../connection/dialect.ts"
import { withExclusiveLock } from "../connection/locks.ts"
import { toKeyText } from "../rows/toKeyText.ts"
import { fromStoredName, type StoredDimension } from "../stores/rollupStore.ts"
import { toQuoted } from "./nameForms.ts"

/** Under the lock of compaction, which moves figures from one table to the other. */
export const changeRollups =
  (sql: SqlClient.SqlClient) =>
  (renaming: Renaming): Effect.Effect<number> => {
    const account = toKeyText(renaming.account)
    const name = JSON.stringify(renaming.name)
    // In a pair the name is JSON in JSON.
    const where = sql`account = ${account} AND (${findText(sql, "document", name)}
    OR ${findText(sql, "document", toQuoted(name))})`
    const change = ({ dimension, document }: FiguresRow): string | undefined => {
      const of = fromStoredName(dimension)
      const rollup = decodeRollup(document)
      const renamed = mayNamePerson(of, renaming) ? renameRollup(rollup, of, renaming) : rollup
      return renamed === rollup ? undefined : encodeRollup(renamed)
    }
    return withExclusiveLock(sql)("rollups", account)(
      Effect.gen(function* () {
        let changed = 0
        for (const row of yield* sql<BucketRow>`
        SELECT dimension, resolution, started_at, document FROM rollups WHERE ${where}`) {
          const document = change(row)
          if (document === undefined) continue
          yield* sql`UPDATE rollups SET document = ${document}
          WHERE account = ${account} AND resolution = ${row.resolution}
            AND dimension = ${row.dimension} AND started_at = ${row.started_at}`
          changed++
        }
        for (const row of yield* sql<DeltaRow>`
        SELECT seq, dimension, document FROM rollup_deltas WHERE ${where}`) {
          const document = change(row)
          if (document === undefined) continue
          yield* sql`UPDATE rollup_deltas SET document = ${document} WHERE seq = ${row.seq}`
          changed++
        }
        return changed
      })
    )
  }

interface FiguresRow {
  readonly dimension: StoredDimension
  readonly document: string
}

interface BucketRow extends FiguresRow {
  readonly resolution: string
  readonly started_at: bigint | number
}

interface DeltaRow extends FiguresRow {
  readonly seq: bigint | number
}
