/** Manages presets, and applies them to requests that name one. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Audit } from "../../engine/observability/audit/Audit.ts"
import type { Transaction } from "../../instance/Transaction.ts"
import type { Caller } from "../../tenants/auth/Caller.ts"
import { buildBeforeDeletion, type Workspaces } from "../../tenants/workspaces/Workspaces.ts"
import type { QuotaExceeded } from "../../values/enforceQuota.ts"
import { type InvalidRequest, ResourceNotFound } from "../../values/errors/RequestErrors.ts"
import { loadOnce } from "../../values/layerOnDemand.ts"
import type { OffsetPage, OffsetRequest } from "../../values/pages/OffsetPage.ts"
import {
  type Preset,
  type PresetApi,
  type PresetBody,
  type PresetPatch,
  PresetReadOnly,
  type PresetSettings,
  type PresetUnavailable,
  type PresetVersion,
  type RequestBody,
  toPresetId
} from "./Preset.ts"
import { PresetStore } from "./PresetStore.ts"
import { isPresetSlug } from "./presetSlug.ts"

export type PresetCaller = Pick<Caller, "account" | "keyHash" | "user" | "workspace">

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
      const store = yield* PresetStore
      const loadApply = loadOnce(() => import("./applyPreset.ts"))

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
      const context = yield* Effect.context<Audit | PresetStore | Transaction | Workspaces>()
      const loadManagement = loadOnce(async () => {
        const { makePresetManagement } = await import("./makePresetManagement.ts")
        return Effect.runSyncWith(context)(makePresetManagement(get))
      })
      yield* buildBeforeDeletion(Effect.suspend(loadManagement))

      return {
        get,
        list: (...input) => Effect.flatMap(loadManagement(), ({ list }) => list(...input)),
        listVersions: (...input) =>
          Effect.flatMap(loadManagement(), ({ listVersions }) => listVersions(...input)),
        getVersion: (...input) =>
          Effect.flatMap(loadManagement(), ({ getVersion }) => getVersion(...input)),
        save: (caller, slug, settings) =>
          Effect.andThen(
            refuseHosts(slug),
            Effect.flatMap(loadManagement(), ({ save }) => save(caller, slug, settings))
          ),
        update: (caller, slug, patch) =>
          Effect.andThen(
            refuseHosts(slug),
            Effect.flatMap(loadManagement(), ({ owned }) =>
              owned.update(caller, toPresetId(caller.workspace, slug), patch)
            )
          ),
        remove: (caller, slug) =>
          Effect.andThen(
            refuseHosts(slug),
            Effect.flatMap(loadManagement(), ({ owned }) =>
              owned.remove(caller, toPresetId(caller.workspace, slug))
            )
          ),
        apply: (caller, api, body) =>
          Effect.flatMap(loadApply(), ({ applyPreset }) =>
            applyPreset(api, body, (slug) => find(caller, slug))
          )
      }
    })
  )
}

export const orMissing = <A>(
  id: string,
  found: A | undefined
): Effect.Effect<A, ResourceNotFound> =>
  found === undefined
    ? Effect.fail(new ResourceNotFound({ resource: "preset", id }))
    : Effect.succeed(found)
