/** Renames a person in what was spent and reserved. */
import { type Renaming, renameSubject } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import { findText } from "../connection/dialect.ts"
import { guardStoreCall } from "../errors/guardStoreCall.ts"
import { fromKeyText, toKeyText } from "../rows/toKeyText.ts"
import { renameStoredKey, toQuoted } from "./nameForms.ts"

/** Reservations first: what ends one meanwhile is waited for, and finds its counters as they were. */
export const changeLedger =
  (sql: SqlClient.SqlClient) =>
  (renaming: Renaming): Effect.Effect<number> => {
    const name = JSON.stringify(renaming.name)
    const has = (column: string, text: string) => findText(sql, column, toKeyText(text))
    return guardStoreCall(
      sql.withTransaction(
        Effect.gen(function* () {
          let changed = 0
          for (const { id, limits } of yield* sql<ReservationRow>`
          SELECT id, limits FROM reservations`) {
            const held: ReadonlyArray<{ readonly counterKey: string }> = JSON.parse(limits)
            const renamed = held.map((each) => ({
              ...each,
              counterKey: renameStoredKey(each.counterKey, renaming)
            }))
            const text = JSON.stringify(renamed)
            if (text === JSON.stringify(held)) continue
            yield* sql`UPDATE reservations SET limits = ${text} WHERE id = ${id}`
            changed++
          }
          for (const { counter_key: key } of yield* sql<{ counter_key: string }>`
          SELECT counter_key FROM limit_counters WHERE ${has("counter_key", toQuoted(name))}`) {
            const renamed = renameStoredKey(key, renaming)
            if (renamed === key) continue
            yield* sql`UPDATE limit_counters SET counter_key = ${renamed} WHERE counter_key = ${key}`
            changed++
          }
          const subjects = yield* sql<{ subject: string }>`
          SELECT DISTINCT subject FROM spend WHERE ${has("subject", name)}`
          for (const { subject } of subjects) {
            const renamed = toKeyText(renameSubject(fromKeyText(subject), renaming))
            if (renamed === subject) continue
            yield* sql`UPDATE spend SET subject = ${renamed} WHERE subject = ${subject}`
            changed++
          }
          return changed
        })
      )
    )
  }

interface ReservationRow {
  readonly id: string
  readonly limits: string
}
