/** Every limit, timeout and interval of the library: one schema with units, bounds, defaults and descriptions. */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import { checkFieldNames } from "../values/validation/checkFieldNames.ts"
import { accountSettings } from "./settings/accountSettings.ts"
import { jobSettings } from "./settings/jobSettings.ts"
import { processSettings } from "./settings/processSettings.ts"
import { requestSettings } from "./settings/requestSettings.ts"

/** Every setting, by the section of docs/reference/settings.md that lists it. */
export const settingGroups = {
  ...requestSettings,
  ...accountSettings,
  ...processSettings,
  ...jobSettings
}

const fields = {
  ...settingGroups["Request sizes"],
  ...settingGroups["Timeouts and attempts"],
  ...settingGroups["Ignored fields"],
  ...settingGroups.Decisions,
  ...settingGroups.Health,
  ...settingGroups.Experiments,
  ...settingGroups["Conversation affinity"],
  ...settingGroups["Catalog and charges"],
  ...settingGroups["Keys and rate limits"],
  ...settingGroups.Quotas,
  ...settingGroups["Process, storage and addresses"],
  ...settingGroups["Durable jobs"],
  ...settingGroups.Observability,
  ...settingGroups.Alerts,
  ...settingGroups.Webhooks,
  ...settingGroups.Videos,
  ...settingGroups.Interns
}

type SettingName = keyof typeof fields

const comparisons = {
  "at least": (value: number, other: number): boolean => value >= other,
  "at least twice": (value: number, other: number): boolean => value >= 2 * other,
  above: (value: number, other: number): boolean => value > other
}

/** Constraints between two settings. */
export const settingRelations: ReadonlyArray<{
  readonly name: SettingName
  readonly comparison: keyof typeof comparisons
  readonly other: SettingName
}> = [
  { name: "maxImageBodyBytes", comparison: "at least", other: "maxBodyBytes" },
  // A body larger than the buffer could never be read.
  { name: "maxBufferedBodyBytes", comparison: "at least", other: "maxImageBodyBytes" },
  { name: "maxBufferedBodyBytes", comparison: "at least", other: "maxChatBodyBytes" },
  { name: "maxBufferedBodyBytes", comparison: "at least", other: "maxAudioBytes" },
  { name: "maxRateLimitBackoffMillis", comparison: "at least", other: "rateLimitBackoffMillis" },
  // A reservation must outlive its request.
  { name: "reservationLeaseMillis", comparison: "above", other: "totalTimeoutMillis" },
  { name: "jobLeaseMillis", comparison: "at least twice", other: "jobLeaseRefreshMillis" },
  { name: "maxVideoFileBytesPerAccount", comparison: "at least", other: "maxVideoFileBytes" }
]

const SettingsSchema = Schema.Struct(fields).check(
  Schema.makeFilter((settings: Readonly<Record<SettingName, unknown>>) =>
    settingRelations.flatMap(({ comparison, name, other }) =>
      comparisons[comparison](Number(settings[name]), Number(settings[other]))
        ? []
        : [
            {
              path: [name],
              issue: `must be ${comparison} settings.${other} (${String(settings[other])})`
            }
          ]
    )
  )
)

/** Every limit and timeout. Names that end in `Millis` are in milliseconds, in `Bytes` in bytes. */
export interface SettingsShape extends Schema.Schema.Type<typeof SettingsSchema> {}

/** The settings of an instance that sets none. */
export const defaults: SettingsShape = SettingsSchema.make({})

/** The settings of this instance; a reference with `defaults` as its default. */
export const Settings: Context.Reference<SettingsShape> = Context.Reference(
  "@signalbox/core/instance/Settings",
  { defaultValue: () => defaults }
)

const decode = Schema.decodeUnknownResult(SettingsSchema)
const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** Throws a `RangeError` that names an unknown setting and the nearest known one. */
export const checkNames = (overrides: object): void =>
  checkFieldNames(overrides, "setting", defaults, "settings.")

/**
 * The defaults with overrides. Throws a `RangeError` with the name, the bound and the value of an invalid setting.
 *
 * ```ts
 * Settings.make({ totalTimeoutMillis: 30_000, maxAttempts: 3 })
 * ```
 */
export const make = (overrides: Partial<SettingsShape>): SettingsShape => {
  checkNames(overrides)
  const settings = { ...defaults, ...overrides }
  const result = decode(settings)
  if (Result.isSuccess(result)) return result.success
  const [{ message, path = [] } = { message: "is not valid" }] = format(result.failure.issue).issues
  const keys = path.map((segment) => (typeof segment === "object" ? segment.key : segment))
  const value = keys.reduce<unknown>((parent, key) => Object(parent)[key], settings)
  throw new RangeError(`settings.${keys.map(String).join(".")} ${message}, got ${String(value)}`)
}

/** A layer of the defaults with overrides. Throws as `make` does. */
export const layer = (overrides: Partial<SettingsShape>): Layer.Layer<never> =>
  Layer.succeed(Settings, make(overrides))
