/** A preset: settings of requests under a name, in numbered versions. */
import * as Data from "effect/Data"
import * as Result from "effect/Result"
import type { AppliedPreset } from "../../routing/parseRequest.ts"
import type { ResourceOrigin } from "../../tenants/workspaces/makeOwnedResource.ts"
import { setUpdatedAt } from "../../values/setUpdatedAt.ts"
import type { Preset, PresetPatch, PresetStatus, PresetVersion } from "./PresetSchemas.ts"

export type { Preset, PresetPatch, PresetStatus, PresetVersion }

/** What requests take from a preset. */
export interface PresetSettings {
  /** Fields of a chat by their names in the chat API, such as `model`, `provider`, `temperature` and `tools`. */
  readonly config: Readonly<Record<string, unknown>>
  /** Null: none. */
  readonly system_prompt: string | null
}

/** A preset of a workspace. */
export interface StoredPreset extends Preset {
  readonly workspace_id: string
}

/** Settings to store as the next version. */
export interface SavedSettings extends PresetSettings {
  /** Of the version. */
  readonly id: string
  readonly creator: string
}

/** The first version of a preset. */
export interface NewPreset {
  readonly workspace_id?: string
  readonly slug: string
  readonly user: string | null
  readonly saved: SavedSettings
}

export type PresetChange = PresetPatch & { readonly saved?: SavedSettings }

/** Names a preset of a workspace by its slug, which never changes. */
export const toPresetId = (workspace: string, slug: string): string => `${workspace}/${slug}`

export const make = (
  { saved, slug, user }: Omit<NewPreset, "workspace_id">,
  { at, workspace }: Pick<ResourceOrigin, "at" | "workspace">
): Result.Result<StoredPreset> => {
  const id = toPresetId(workspace, slug)
  return Result.succeed({
    id,
    workspace_id: workspace,
    slug,
    name: slug,
    description: null,
    status: "active",
    status_updated_at: null,
    creator_user_id: user,
    designated_version_id: saved.id,
    created_at: at,
    updated_at: at,
    designated_version: toVersion(id, 1, saved, at)
  })
}

export const change = (
  preset: StoredPreset,
  { saved, ...patch }: PresetChange,
  at: string
): Result.Result<StoredPreset> => {
  const status = patch.status ?? preset.status
  const version =
    saved && toVersion(preset.id, (preset.designated_version?.version ?? 0) + 1, saved, at)
  return Result.succeed(
    setUpdatedAt<StoredPreset>(
      preset,
      {
        ...preset,
        ...patch,
        status_updated_at: status === preset.status ? preset.status_updated_at : at,
        ...(version && { designated_version: version, designated_version_id: version.id })
      },
      at
    )
  )
}

export const toVersion = (
  preset_id: string,
  version: number,
  { config, creator, id, system_prompt }: SavedSettings,
  at: string
): PresetVersion => ({
  id,
  preset_id,
  version,
  config,
  system_prompt,
  creator_id: creator,
  created_at: at,
  updated_at: at
})

/** A request uses a preset that its workspace does not have, or that is not active. */
export class PresetUnavailable extends Data.TaggedError("PresetUnavailable")<{
  readonly slug: string
  readonly status: "unknown" | Exclude<PresetStatus, "active">
}> {}

/** The host defines the preset in its code, so that it cannot be changed through the API. */
export class PresetReadOnly extends Data.TaggedError("PresetReadOnly")<{
  readonly slug: string
}> {}

/** The APIs whose requests use presets. */
export type PresetApi = "chat" | "decisions" | "messages" | "responses"

/** A request as JSON, and the UTF-8 bytes of its text. */
export interface RequestBody {
  readonly json: unknown
  readonly bytes: number
}

/** The body of a request with the settings of a preset. */
export interface PresetBody extends RequestBody {
  readonly preset: AppliedPreset
}
