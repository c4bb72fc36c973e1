/** Lists presets with their versions, and stores further ones. Loaded with the first such call. */
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import { Settings } from "../../instance/Settings.ts"
import { Transaction } from "../../instance/Transaction.ts"
import { makeOwnedResource } from "../../tenants/workspaces/makeOwnedResource.ts"
import { Workspaces } from "../../tenants/workspaces/Workspaces.ts"
import { QuotaExceeded } from "../../values/enforceQuota.ts"
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import { countJsonBytes } from "../../values/json/JsonCost.ts"
import { toOffsetPage } from "../../values/pages/OffsetPage.ts"
import {
  change,
  make,
  type NewPreset,
  type PresetChange,
  type StoredPreset,
  toPresetId
} from "./Preset.ts"
import { HostPresets, orMissing, type PresetCaller, type Presets } from "./Presets.ts"
import { PresetStore } from "./PresetStore.ts"

type Management = Pick<Presets["Service"], "getVersion" | "list" | "listVersions" | "save">

/** `save` is for presets of workspaces alone. */
export const makePresetManagement = Effect.fnUntraced(function* (get: Presets["Service"]["get"]) {
  const hosts = yield* HostPresets
  const { maxPresetBytes, maxVersionsPerPreset } = yield* Settings
  const store = yield* PresetStore
  const { withTransaction } = yield* Transaction
  const workspaces = yield* Workspaces
  const owned = yield* makeOwnedResource<StoredPreset, NewPreset, PresetChange, PresetStore>(
    PresetStore,
    { name: "preset", quota: "presets", make, change }
  )

  const listHidden = ({ account, workspace }: PresetCaller) =>
    Effect.filter(hosts.keys(), (slug) =>
      Effect.map(store.find(account, toPresetId(workspace, slug)), (row) => row !== undefined)
    )

  const management: Management = {
    list: Effect.fnUntraced(function* (caller, page) {
      const filter = { workspace_id: caller.workspace }
      const { rows, total } = yield* owned.list(caller, filter, page)
      const hidden = new Set(yield* listHidden(caller))
      const added = [...hosts.values()].filter(({ slug }) => !hidden.has(slug))
      const begin = Math.max(0, page.offset - total)
      const end = Math.max(0, page.offset + page.limit - total)
      return {
        rows: [...rows.map((row) => hosts.get(row.slug) ?? row), ...added.slice(begin, end)],
        total: total + added.length
      }
    }),
    listVersions: Effect.fnUntraced(function* (caller, slug, page) {
      const { designated_version, id } = yield* get(caller, slug)
      return hosts.has(slug)
        ? toOffsetPage(designated_version === null ? [] : [designated_version], page)
        : yield* store.listVersions(caller.account, id, page)
    }),
    getVersion: Effect.fnUntraced(function* (caller, slug, version) {
      const { designated_version: designated, id } = yield* get(caller, slug)
      const number = /^[1-9]\d{0,14}$/.test(version) ? Number(version) : 0
      const found =
        designated?.version === number || hosts.has(slug)
          ? designated?.version === number
            ? designated
            : undefined
          : yield* store.findVersion(caller.account, id, number)
      return yield* orMissing(`${slug}/${version}`, found ?? undefined)
    }),
    save: Effect.fnUntraced(function* (caller, slug, settings) {
      const bytes = countJsonBytes(settings)
      if (bytes > maxPresetBytes) {
        return yield* new InvalidRequest({
          path: [],
          problem: `the settings of the preset have ${bytes} bytes as JSON; at most ${maxPresetBytes} are kept (maxPresetBytes)`
        })
      }
      const saved = {
        ...settings,
        id: SecureRandom.uuidV4Unsafe(),
        creator: caller.user ?? caller.keyHash ?? "host"
      }
      return yield* withTransaction(
        Effect.gen(function* () {
          const workspace_id = yield* workspaces.resolveForUpdate(caller, caller.workspace)
          const id = toPresetId(workspace_id, slug)
          // Counting waits for others that save: of concurrent first versions one is the second, and none is beyond the last.
          yield* store.count(caller.account)
          const before = yield* store.find(caller.account, id)
          if (before === undefined) {
            const user = caller.user ?? null
            return yield* owned.create(caller, { workspace_id, slug, saved, user })
          }
          // No version is ever removed, so the latest has their number.
          if ((before.designated_version?.version ?? 0) >= maxVersionsPerPreset) {
            return yield* new QuotaExceeded({
              what: "versions",
              of: "preset",
              most: maxVersionsPerPreset,
              setting: "maxVersionsPerPreset"
            })
          }
          return yield* owned.update(caller, id, { saved })
        })
      )
    })
  }
  return { ...management, owned }
})
