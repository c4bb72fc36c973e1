/** PresetStore in the memory of this process. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { PresetVersion, StoredPreset } from "../domains/presets/Preset.ts"
import { PresetStore } from "../domains/presets/PresetStore.ts"
import { renamePreset, renamePresetVersion } from "../domains/people/renameRecords.ts"
import type { AccountId } from "../values/ids/Ids.ts"
import { toOffsetPage } from "../values/pages/OffsetPage.ts"
import { makeMemoryTable, removeWhere } from "./makeMemoryTable.ts"
import { MemoryJournal } from "./MemoryJournal.ts"
import {
  isInWorkspace,
  listOwned,
  makeOwnedStore,
  type OwnedRow,
  registerRename,
  toRowKey
} from "./ownedRows.ts"

export const memoryPresetStore: Layer.Layer<PresetStore, never, MemoryJournal> = Layer.effect(
  PresetStore,
  Effect.gen(function* () {
    const journal = yield* MemoryJournal
    const presets = makeMemoryTable<string, OwnedRow<StoredPreset>>(journal)
    const versions = makeMemoryTable<string, OwnedRow<PresetVersion>>(journal)
    const owned = makeOwnedStore(presets)

    yield* registerRename(presets, renamePreset)
    yield* registerRename(versions, renamePresetVersion)

    const keepVersion = (account: AccountId, { designated_version: value, id }: StoredPreset) =>
      value === null
        ? Effect.void
        : versions.edit((draft) => {
            const key = toVersionKey(account, id, value.version)
            if (!draft.has(key)) draft.set(key, { account, value })
          })
    return {
      ...owned,
      list: (account, workspace, page) =>
        Effect.sync(() =>
          toOffsetPage(
            listOwned(presets.rows, account, isInWorkspace(workspace)).toReversed(),
            page
          )
        ),
      insert: (account, preset) =>
        journal.withTransaction(
          Effect.tap(owned.insert(account, preset), (added) =>
            added ? keepVersion(account, preset) : Effect.void
          )
        ),
      update: (account, id, change) =>
        journal.withTransaction(
          Effect.tap(
            presets.edit((draft) => {
              const key = toRowKey(account, id)
              const before = draft.get(key)?.value
              if (before === undefined) return undefined
              const value = change(before)
              // Anew, so that it is the last of the rows, which lists have first.
              if (value !== before) draft.delete(key)
              draft.set(key, { account, value })
              return value
            }),
            (after) => (after === undefined ? Effect.void : keepVersion(account, after))
          )
        ),
      remove: (account, id) =>
        journal.withTransaction(
          Effect.tap(owned.remove(account, id), () =>
            removeWhere(versions, (row) => row.account === account && isOf(id)(row.value))
          )
        ),
      listVersions: (account, preset, page) =>
        Effect.sync(() => toOffsetPage(listOwned(versions.rows, account, isOf(preset)), page)),
      findVersion: (account, preset, version) =>
        Effect.sync(() => versions.rows.get(toVersionKey(account, preset, version))?.value)
    }
  })
)

const toVersionKey = (account: AccountId, preset: string, version: number): string =>
  toRowKey(account, preset, String(version))

const isOf =
  (preset: string) =>
  ({ preset_id }: PresetVersion): boolean =>
    preset_id === preset
