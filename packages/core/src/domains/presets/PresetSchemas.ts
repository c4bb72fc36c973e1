/** The fields of presets, as the API and stores have them. */
import * as Schema from "effect/Schema"
import { nullableText, UnknownJson } from "../../values/schemaFields.ts"
import { Description, isMaxCharacters, isPlainText } from "../../values/validation/text.ts"
import { slugForm, slugPattern } from "./presetSlug.ts"

const PresetSlug = Schema.String.check(Schema.isPattern(slugPattern, { expected: slugForm }))

/** Only an active preset can be used by requests. */
export const PresetStatus = Schema.Literals(["active", "disabled", "archived"])
export type PresetStatus = typeof PresetStatus.Type

/** One version of the settings, which never changes. */
export const PresetVersion = Schema.Struct({
  id: Schema.String,
  preset_id: Schema.String,
  /** 1 for the first. */
  version: Schema.Int,
  /** Fields of a chat by their names in the chat API. */
  config: Schema.Record(Schema.String, UnknownJson),
  system_prompt: nullableText,
  /** The acting user; without one the hash of the key, or `host` for the application. */
  creator_id: Schema.String,
  /** ISO 8601. */
  created_at: Schema.String,
  updated_at: Schema.String
})
export type PresetVersion = typeof PresetVersion.Type

const nameFields = {
  name: Schema.NonEmptyString.check(isMaxCharacters(200), isPlainText),
  description: Description
}

const presetFields = {
  id: Schema.String,
  /** Null for a preset of the host, which every workspace has. */
  workspace_id: nullableText,
  slug: PresetSlug,
  ...nameFields,
  status: PresetStatus,
  status_updated_at: nullableText,
  creator_user_id: nullableText,
  /** The version that requests use: the newest. */
  designated_version_id: nullableText,
  /** ISO 8601. */
  created_at: Schema.String,
  updated_at: Schema.String
}

/** A preset without its settings. */
export const PresetSummary = Schema.Struct(presetFields)

/** A preset with the version of its settings that requests use; null: it has none. */
export const Preset = Schema.Struct({
  ...presetFields,
  designated_version: Schema.NullOr(PresetVersion)
})
export type Preset = typeof Preset.Type

/** Omitted fields stay unchanged. */
export const PresetPatch = Schema.Struct({
  name: Schema.optionalKey(nameFields.name),
  description: Schema.optionalKey(nameFields.description),
  status: Schema.optionalKey(PresetStatus)
})
export type PresetPatch = typeof PresetPatch.Type
