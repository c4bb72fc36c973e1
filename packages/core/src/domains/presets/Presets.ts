/** Manages presets, and applies them to requests that name one. */
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Settings } from "../../instance/Settings.ts"
import { Transaction } from "../../instance/Transaction.ts"
import type { Caller } from "../../tenants/auth/Caller.ts"
import { makeOwnedResource } from "../../tenants/workspaces/makeOwnedResource.ts"
import { Workspaces } from "../../tenants/workspaces/Workspaces.ts"
import { QuotaExceeded } from "../../values/enforceQuota.ts"
import { InvalidRequest, ResourceNotFound } from "../../values/errors/RequestErrors.ts"
import type { WorkspaceId } from "../../values/ids/Ids.ts"
import { countJsonBytes } from "../../values/json/JsonCost.ts"
import { loadOnce } from "../../values/layerOnDemand.ts"
import { type OffsetPage, type OffsetRequest, toOffsetPage } from "../../values/pages/OffsetPage.ts"
import type { PresetApi, PresetBody, RequestBody } from "./PresetBody.ts"
import {
  change,
  isPresetSlug,
  make,
  type NewPreset,
  type Preset,
  type PresetChange,
  type PresetPatch,
  PresetReadOnly,
  type PresetSettings,
  type PresetUnavailable,
  type PresetVersion,
  type StoredPreset,
  toPresetId
} from "./Preset.ts"
import { PresetStore } from "./PresetStore.ts"

type PresetCaller = Pick<Caller, "account" | "keyHash" | "user" | "workspace">

/** The presets that the host defines in code, by slug. */
export const HostPresets: Context.Reference<ReadonlyMap<string, Preset>> = Context.Reference<
  ReadonlyMap<string, Preset>
>("@signalbox/core/domains/presets/HostPresets", { defaultValue: () => new Map() })

/**
 * The presets of the caller's workspace, and those of the host, which every workspace has. One of the host hides one of the
 * workspace with the same slug.
 */
export class Presets extends Context.Service<
  Presets,
  {
    /** The workspace's, last changed first, then the host's. */
    readonly list: (
      caller: PresetCaller,
      page: OffsetRequest
    ) => Effect.Effect<OffsetPage<Preset>, InvalidRequest>
    readonly get: (caller: PresetCaller, slug: string) => Effect.Effect<Preset, ResourceNotFound>
    /** Oldest first. */
    readonly listVersions: (
      caller: PresetCaller,
      slug: string,
      page: OffsetRequest
    ) => Effect.Effect<OffsetPage<PresetVersion>, ResourceNotFound>
    readonly getVersion: (
      caller: PresetCaller,
      slug: string,
      version: string
    ) => Effect.Effect<PresetVersion, ResourceNotFound>
    /** Stores settings as the next version, which requests use from now on. A new slug makes a preset. */
    readonly save: (
      caller: PresetCaller,
      slug: string,
      settings: PresetSettings
    ) => Effect.Effect<Preset, InvalidRequest | PresetReadOnly | QuotaExceeded | ResourceNotFound>
    readonly update: (
      caller: PresetCaller,
      slug: string,
      patch: PresetPatch
    ) => Effect.Effect<Preset, InvalidRequest | PresetReadOnly | ResourceNotFound>
    /** Removes it with its versions. */
    readonly remove: (
      caller: PresetCaller,
      slug: string
    ) => Effect.Effect<void, InvalidRequest | PresetReadOnly | ResourceNotFound>
    /** The request with the settings of the preset that it names; call it only if `namesPreset`. */
    readonly apply: (
      caller: PresetCaller,
      api: PresetApi,
      body: RequestBody
    ) => Effect.Effect<PresetBody, InvalidRequest | PresetUnavailable>
  }
>()("@signalbox/core/domains/presets/Presets") {
  static readonly layer = Layer.effect(
    Presets,
    Effect.gen(function* () {
      const hosts = yield* HostPresets
      const { maxPresetBytes, maxVersionsPerPreset } = yield* Settings
      const store = yield* PresetStore
      const { withTransaction } = yield* Transaction
      const workspaces = yield* Workspaces
      const owned = yield* makeOwnedResource<StoredPreset, NewPreset, PresetChange, PresetStore>(
        PresetStore,
        { name: "preset", quota: "presets", make, change }
      )
      const load = loadOnce(() => import("./applyPreset.ts"))

      const find = ({ account, workspace }: PresetCaller, slug: string) => {
        const host = hosts.get(slug)
        if (host !== undefined) return Effect.succeed(host)
        return isPresetSlug(slug)
          ? store.find(account, toPresetId(workspace, slug))
          : Effect.undefined
      }
      const get = (caller: PresetCaller, slug: string) =>
        Effect.flatMap(find(caller, slug), (preset) => orMissing(slug, preset))
      const refuseHosts = (slug: string) =>
        hosts.has(slug) ? Effect.fail(new PresetReadOnly({ slug })) : Effect.void
      const listHidden = ({ account, workspace }: PresetCaller) =>
        Effect.filter(hosts.keys(), (slug) =>
          Effect.map(store.find(account, toPresetId(workspace, slug)), (row) => row !== undefined)
        )

      return {
        get,
        list: Effect.fnUntraced(function* (caller, page) {
          const { rows, total } = yield* owned.list(caller, toFilter(caller), page)
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
          yield* refuseHosts(slug)
          const bytes = countJsonBytes(settings)
          if (bytes > maxPresetBytes) return yield* toTooLarge(bytes, maxPresetBytes)
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
                return yield* toTooManyVersions(maxVersionsPerPreset)
              }
              return yield* owned.update(caller, id, { saved })
            })
          )
        }),
        update: (caller, slug, patch) =>
          Effect.andThen(
            refuseHosts(slug),
            owned.update(caller, toPresetId(caller.workspace, slug), patch)
          ),
        remove: (caller, slug) =>
          Effect.andThen(
            refuseHosts(slug),
            owned.remove(caller, toPresetId(caller.workspace, slug))
          ),
        apply: (caller, api, body) =>
          Effect.flatMap(load(), ({ applyPreset }) =>
            applyPreset(api, body, (slug) => find(caller, slug))
          )
      }
    })
  )
}

const toFilter = ({ workspace }: { readonly workspace: WorkspaceId }) => ({
  workspace_id: workspace
})

const toTooLarge = (bytes: number, most: number) =>
  new InvalidRequest({
    path: [],
    problem: `the settings of the preset have ${bytes} bytes as JSON; at most ${most} are kept (maxPresetBytes)`
  })

const toTooManyVersions = (most: number) =>
  new QuotaExceeded({ what: "versions", of: "preset", most, setting: "maxVersionsPerPreset" })

const orMissing = <A>(id: string, found: A | undefined): Effect.Effect<A, ResourceNotFound> =>
  found === undefined
    ? Effect.fail(new ResourceNotFound({ resource: "preset", id }))
    : Effect.succeed(found)
