/** AlertStore in the memory of this process. */
import * as Effect from "effect/Effect"
import * as Iterable from "effect/Iterable"
import * as Layer from "effect/Layer"
import { Settings } from "../instance/Settings.ts"
import type { Alert } from "../engine/observability/alerts/Alert.ts"
import { type AlertClaim, AlertStore } from "../engine/observability/alerts/AlertStore.ts"
import { toCursorPage } from "../values/pages/CursorPage.ts"
import { namesPerson } from "../domains/people/renameBounds.ts"
import { renameCounterKey } from "../engine/ledger/Subject.ts"
import { MemoryPeople } from "./MemoryPeople.ts"
import { MemoryJournal } from "./MemoryJournal.ts"
import { makeMemoryTable } from "./makeMemoryTable.ts"

/** Evicts the oldest alert when there are more than `Settings.maxAlerts`. */
export const memoryAlertStore: Layer.Layer<AlertStore, never, MemoryJournal> = Layer.effect(
  AlertStore,
  Effect.gen(function* () {
    const { maxAlerts } = yield* Settings
    const journal = yield* MemoryJournal
    const alerts = makeMemoryTable<string, Alert>(journal)
    const claims = makeMemoryTable<string, AlertClaim>(journal)
    const people = yield* MemoryPeople
    people.register((renaming) =>
      Effect.zipWith(
        alerts.edit((draft) => {
          const named = Array.from(alerts.rows.values()).filter((each) =>
            namesPerson(each, renaming)
          )
          for (const { id } of named) draft.delete(id)
          return named.length
        }),
        claims.edit((draft) => {
          for (const claim of Array.from(claims.rows.values())) {
            const key = renameCounterKey(claim.key, renaming)
            if (key === claim.key) continue
            draft.delete(claim.key)
            draft.set(key, { ...claim, key })
          }
        }),
        (deleted) => deleted
      )
    )
    return {
      claim: (claim, now) =>
        claims.edit((draft) => {
          const known = draft.get(claim.key)
          if (known !== undefined && known.expiresAt > now && known.level >= claim.level) {
            return false
          }
          draft.set(claim.key, claim)
          return true
        }),
      release: (key) => claims.edit((draft) => draft.delete(key)),
      add: (alert) =>
        alerts.edit((draft) => {
          draft.set(alert.id, alert)
          const [oldest] = alerts.rows.keys()
          if (alerts.rows.size > maxAlerts && oldest !== undefined) draft.delete(oldest)
        }),
      find: (id) => Effect.sync(() => alerts.rows.get(id)),
      list: (account, workspace, cursor) =>
        Effect.sync(() =>
          toCursorPage(
            Iterable.filter(
              alerts.newestFirst(cursor.after),
              ({ row }) =>
                row.account === account &&
                (workspace === undefined || row.workspace_id === workspace)
            ),
            cursor
          )
        ),
      purge: (createdBefore, now) =>
        Effect.andThen(
          alerts.edit((draft) => {
            for (const { created_at, id } of alerts.rows.values()) {
              if (Date.parse(created_at) < createdBefore) draft.delete(id)
            }
          }),
          claims.edit((draft) => {
            for (const { expiresAt, key } of claims.rows.values()) {
              if (expiresAt < now) draft.delete(key)
            }
          })
        )
    }
  })
)
