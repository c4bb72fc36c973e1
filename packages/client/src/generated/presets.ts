/** Presets: the operations of the group `presets`. `npm run docs` writes this file from the contract. */
import type { CallOptions, Connection } from "../Connection.ts"
import type { Paged } from "../Paged.ts"
import type { Preferences } from "./types/Preferences.ts"
import type { Trace } from "./types/Trace.ts"

export interface Preset {
  readonly id: string
  readonly workspace_id: string | null
  readonly slug: string
  readonly name: string
  readonly description: string | null
  readonly status: "active" | "disabled" | "archived"
  readonly status_updated_at: string | null
  readonly creator_user_id: string | null
  readonly designated_version_id: string | null
  readonly created_at: string
  readonly updated_at: string
}

export interface PresetGet {
  readonly id: string
  readonly workspace_id: string | null
  readonly slug: string
  readonly name: string
  readonly description: string | null
  readonly status: "active" | "disabled" | "archived"
  readonly status_updated_at: string | null
  readonly creator_user_id: string | null
  readonly designated_version_id: string | null
  readonly created_at: string
  readonly updated_at: string
  readonly designated_version: PresetDesignatedVersion | null
}

export interface PresetDesignatedVersion {
  readonly id: string
  readonly preset_id: string
  readonly version: number
  readonly config: Readonly<Record<string, unknown>>
  readonly system_prompt: string | null
  readonly creator_id: string
  readonly created_at: string
  readonly updated_at: string
}

export interface PresetsListInput {
  /** Number of items to skip. */
  readonly offset?: number
  /** Number of items to return. */
  readonly limit?: number
}

export interface PresetsListPage {
  readonly data: ReadonlyArray<Preset>
  readonly total_count: number
}

export interface PresetsGetInput {
  /** The name of a preset: 1 to 64 lower-case letters, digits, hyphens and underscores, of which the first is a letter or a digit. */
  readonly slug: string
}

export interface PresetsGetOutput {
  readonly data: PresetGet
}

export interface PresetsListVersionsInput {
  /** The name of a preset: 1 to 64 lower-case letters, digits, hyphens and underscores, of which the first is a letter or a digit. */
  readonly slug: string
  /** Number of items to skip. */
  readonly offset?: number
  /** Number of items to return. */
  readonly limit?: number
}

export interface PresetsListVersionsPage {
  readonly data: ReadonlyArray<PresetDesignatedVersion>
  readonly total_count: number
}

export interface PresetsGetVersionInput {
  /** The name of a preset: 1 to 64 lower-case letters, digits, hyphens and underscores, of which the first is a letter or a digit. */
  readonly slug: string
  readonly version: string
}

export interface PresetsGetVersionOutput {
  readonly data: PresetDesignatedVersion
}

export interface PresetsSaveChatInput {
  /** The name of a preset: 1 to 64 lower-case letters, digits, hyphens and underscores, of which the first is a letter or a digit. */
  readonly slug: string
  readonly messages: ReadonlyArray<{
    readonly role: string
    readonly [field: string]: unknown
  }>
  readonly model?: string
  readonly models?: ReadonlyArray<string>
  readonly provider?: Preferences
  readonly stream_options?: Readonly<Record<string, unknown>>
  readonly max_tokens?: number
  readonly max_completion_tokens?: number
  readonly session_id?: string
  readonly trace?: Trace
  readonly user?: string
  readonly [field: string]: unknown
}

export interface PresetsSaveChatOutput {
  readonly data: PresetGet
}

export interface PresetsSaveMessagesInput {
  /** The name of a preset: 1 to 64 lower-case letters, digits, hyphens and underscores, of which the first is a letter or a digit. */
  readonly slug: string
  readonly messages: ReadonlyArray<{
    readonly role: "user" | "assistant" | "system"
    readonly content:
      | string
      | ReadonlyArray<{
          readonly type: string
          readonly [field: string]: unknown
        }>
    readonly [field: string]: unknown
  }>
  readonly model?: string
  readonly max_tokens?: number
  readonly system?:
    | string
    | ReadonlyArray<{
        readonly type: string
        readonly [field: string]: unknown
      }>
  readonly tools?: ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly tool_choice?: Readonly<Record<string, unknown>>
  readonly thinking?: Readonly<Record<string, unknown>>
  readonly output_config?: Readonly<Record<string, unknown>>
  readonly stop_sequences?: ReadonlyArray<string>
  readonly temperature?: number
  readonly top_k?: number
  readonly top_p?: number
  readonly metadata?: Readonly<Record<string, unknown>>
  readonly models?: ReadonlyArray<string>
  readonly fallbacks?:
    | "default"
    | ReadonlyArray<{
        readonly model: string
      }>
  readonly provider?: Preferences
  readonly session_id?: string
  readonly trace?: Trace
  readonly user?: string
  readonly [field: string]: unknown
}

export interface PresetsSaveMessagesOutput {
  readonly data: PresetGet
}

export interface PresetsSaveResponsesInput {
  /** The name of a preset: 1 to 64 lower-case letters, digits, hyphens and underscores, of which the first is a letter or a digit. */
  readonly slug: string
  readonly input: string | ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly instructions?: string | null
  readonly model?: string | null
  readonly models?: ReadonlyArray<string> | null
  readonly provider?: Preferences | null
  readonly max_output_tokens?: number | null
  readonly tools?: ReadonlyArray<Readonly<Record<string, unknown>>> | null
  readonly text?: Readonly<Record<string, unknown>> | null
  readonly reasoning?: Readonly<Record<string, unknown>> | null
  readonly include?: ReadonlyArray<string> | null
  readonly metadata?: Readonly<Record<string, string>> | null
  readonly store?: boolean | null
  readonly session_id?: string | null
  readonly trace?: Trace | null
  readonly user?: string | null
  readonly [field: string]: unknown
}

export interface PresetsSaveResponsesOutput {
  readonly data: PresetGet
}

export interface PresetsUpdateInput {
  /** The name of a preset: 1 to 64 lower-case letters, digits, hyphens and underscores, of which the first is a letter or a digit. */
  readonly slug: string
  readonly name?: string
  readonly description?: string | null
  readonly status?: "active" | "disabled" | "archived"
}

export interface PresetsUpdateOutput {
  readonly data: PresetGet
}

export interface PresetsDeleteInput {
  /** The name of a preset: 1 to 64 lower-case letters, digits, hyphens and underscores, of which the first is a letter or a digit. */
  readonly slug: string
}

export interface PresetsDeleteOutput {
  readonly deleted: true
}

/** Presets. */
export const presets = (connection: Connection) => ({
  /** List the presets of the workspace, last changed first, then those of the host. */
  list: (input?: PresetsListInput, options?: CallOptions): Paged<PresetsListPage, Preset> =>
    connection.list<Preset, PresetsListPage>("GET /api/v1/presets", input, options),
  /** Get a preset with the version that requests use. */
  get: (input: PresetsGetInput, options?: CallOptions): Promise<PresetsGetOutput> =>
    connection.call("GET /api/v1/presets/:slug", input, options),
  /** List the versions of a preset, oldest first. */
  listVersions: (
    input: PresetsListVersionsInput,
    options?: CallOptions
  ): Paged<PresetsListVersionsPage, PresetDesignatedVersion> =>
    connection.list<PresetDesignatedVersion, PresetsListVersionsPage>(
      "GET /api/v1/presets/:slug/versions",
      input,
      options
    ),
  /** Get a version of a preset by its number. */
  getVersion: (
    input: PresetsGetVersionInput,
    options?: CallOptions
  ): Promise<PresetsGetVersionOutput> =>
    connection.call("GET /api/v1/presets/:slug/versions/:version", input, options),
  /** Store the settings of a chat as a preset, or as the next version of one, which requests use from then on. Nothing is run. What is said, such as messages, is not stored, but the system prompt is. */
  saveChat: (input: PresetsSaveChatInput, options?: CallOptions): Promise<PresetsSaveChatOutput> =>
    connection.call("POST /api/v1/presets/:slug/chat/completions", input, options),
  /** Store the settings of a request to Anthropic's API as a preset, or as the next version of one, which requests use from then on. Nothing is run. What is said, such as messages, is not stored, but the system prompt is. */
  saveMessages: (
    input: PresetsSaveMessagesInput,
    options?: CallOptions
  ): Promise<PresetsSaveMessagesOutput> =>
    connection.call("POST /api/v1/presets/:slug/messages", input, options),
  /** Store the settings of a request to the Responses API as a preset, or as the next version of one, which requests use from then on. Nothing is run. What is said, such as messages, is not stored, but the system prompt is. */
  saveResponses: (
    input: PresetsSaveResponsesInput,
    options?: CallOptions
  ): Promise<PresetsSaveResponsesOutput> =>
    connection.call("POST /api/v1/presets/:slug/responses", input, options),
  /** Rename, describe, disable, archive or activate a preset. Omitted fields keep their values. */
  update: (input: PresetsUpdateInput, options?: CallOptions): Promise<PresetsUpdateOutput> =>
    connection.call("PATCH /api/v1/signalbox/presets/:slug", input, options),
  /** Delete a preset with its versions. */
  delete: (input: PresetsDeleteInput, options?: CallOptions): Promise<PresetsDeleteOutput> =>
    connection.call("DELETE /api/v1/signalbox/presets/:slug", input, options)
})
