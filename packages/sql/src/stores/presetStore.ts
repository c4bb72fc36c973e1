/** Presets of workspaces, with their versions. */
import { PresetStore, type PresetVersion, type StoredPreset } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { guardStoreCall } from "../errors/guardStoreCall.ts"
import { type DocumentRow, readDocument, readFirst } from "../rows/DocumentRow.ts"
import { makeOwnedStore } from "../rows/makeOwnedStore.ts"
import { selectPage } from "../rows/selectPage.ts"
import { toKeyText } from "../rows/toKeyText.ts"

export const presetStore: Layer.Layer<PresetStore, never, SqlClient.SqlClient> = Layer.effect(
  PresetStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const owned = makeOwnedStore<StoredPreset>(sql, "presets", { hasLastChangedFirst: true })
    const versionsOf = (account: string, preset: string) =>
      sql`preset_versions WHERE account = ${toKeyText(account)} AND preset = ${toKeyText(preset)}`
    const keepVersion = (
      account: string,
      { designated_version, id }: StoredPreset
    ): Effect.Effect<unknown, SqlError> =>
      designated_version === null
        ? Effect.void
        : sql`INSERT INTO preset_versions ${sql.insert({
            account: toKeyText(account),
            preset: toKeyText(id),
            version: designated_version.version,
            document: JSON.stringify(designated_version)
          })} ON CONFLICT DO NOTHING`

    return {
      ...owned,
      insert: (account, preset) =>
        guardStoreCall(
          sql.withTransaction(
            Effect.tap(owned.insert(account, preset), (added) =>
              added ? keepVersion(account, preset) : Effect.void
            )
          )
        ),
      update: (account, id, change) =>
        guardStoreCall(
          sql.withTransaction(
            Effect.tap(owned.update(account, id, change), (after) =>
              after === undefined ? Effect.void : keepVersion(account, after)
            )
          )
        ),
      remove: (account, id) =>
        guardStoreCall(
          sql.withTransaction(
            Effect.tap(owned.remove(account, id), () => sql`DELETE FROM ${versionsOf(account, id)}`)
          )
        ),
      listVersions: (account, preset, page) =>
        guardStoreCall(
          selectPage(sql, {
            from: versionsOf(account, preset),
            order: sql`version`,
            page,
            decode: readDocument<PresetVersion>
          })
        ),
      findVersion: (account, preset, version) =>
        guardStoreCall(
          Effect.map(
            sql<DocumentRow<PresetVersion>>`SELECT document FROM ${versionsOf(account, preset)}
              AND version = ${version}`,
            readFirst
          )
        )
    }
  })
)
