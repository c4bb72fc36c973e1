/** The body of a request that may use a preset. */
import type { AppliedPreset } from "../../routing/parseRequest.ts"

/** The APIs whose requests use presets. */
export type PresetApi = "chat" | "decisions" | "messages" | "responses"

/** A request as JSON, and the UTF-8 bytes of its text. */
export interface RequestBody {
  readonly json: unknown
  readonly bytes: number
}

/** A request with the settings of a preset. */
export interface PresetBody extends RequestBody {
  readonly preset: AppliedPreset
}
