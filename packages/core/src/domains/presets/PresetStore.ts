/** Stores presets with their versions. A port. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { OwnedStore } from "../../instance/OwnedStore.ts"
import type { AccountId } from "../../values/ids/Ids.ts"
import type { OffsetPage, OffsetRequest } from "../../values/pages/OffsetPage.ts"
import type { PresetVersion, StoredPreset } from "./Preset.ts"

/**
 * Stores presets with their versions. A list has the preset that changed last first. An insert or an update also keeps the
 * designated version among the versions, and a removed preset takes them along. Race: concurrent updates that each add a
 * version keep all of them, because one is applied after the other.
 */
export class PresetStore extends Context.Service<
  PresetStore,
  OwnedStore<StoredPreset> & {
    /** Oldest first. */
    readonly listVersions: (
      account: AccountId,
      preset: string,
      page: OffsetRequest
    ) => Effect.Effect<OffsetPage<PresetVersion>>
    readonly findVersion: (
      account: AccountId,
      preset: string,
      version: number
    ) => Effect.Effect<PresetVersion | undefined>
  }
>()("@signalbox/core/domains/presets/PresetStore") {}
