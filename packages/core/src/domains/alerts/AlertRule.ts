/** What an account wants to be warned of. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { Limit } from "../../engine/ledger/Limit.ts"
import { AlertThresholds } from "../../engine/observability/alerts/Alert.ts"
import type { ResourceOrigin } from "../../tenants/workspaces/makeOwnedResource.ts"
import { setUpdatedAt } from "../../values/setUpdatedAt.ts"
import { isMaxCharacters, isPlainText } from "../../values/validation/text.ts"

const ruleFields = {
  name: Schema.NonEmptyString.check(isMaxCharacters(200), isPlainText),
  /** The kinds of limits that it watches; null: all of its workspace. */
  limits: Schema.NullOr(
    Schema.Array(Limit.fields.kind).check(Schema.isMinLength(1), Schema.isMaxLength(50))
  ),
  /** Each raises one alert per interval of a limit. */
  thresholds: AlertThresholds.check(Schema.isMinLength(1))
}

/**
 * An alert rule watches the limits of its workspace, whose webhook receives the alerts. The rules of the default workspace also watch
 * what belongs to the whole account, such as credits.
 */
export const AlertRule = Schema.Struct({
  id: Schema.String,
  workspace_id: Schema.String,
  ...ruleFields,
  /** ISO 8601. */
  created_at: Schema.String,
  updated_at: Schema.String
})
export type AlertRule = typeof AlertRule.Type

/** The request body of a new alert rule. */
export const NewAlertRule = Schema.Struct({
  name: ruleFields.name,
  thresholds: ruleFields.thresholds,
  limits: Schema.optionalKey(ruleFields.limits),
  workspace_id: Schema.optionalKey(Schema.NonEmptyString)
})
export type NewAlertRule = typeof NewAlertRule.Type

/** Omitted fields stay unchanged. */
export const AlertRulePatch = Schema.Struct(ruleFields).mapFields(Struct.map(Schema.optionalKey))
export type AlertRulePatch = typeof AlertRulePatch.Type

export const make = (
  { limits = null, name, thresholds }: Omit<NewAlertRule, "workspace_id">,
  { at, id, workspace }: ResourceOrigin
): AlertRule => ({
  id,
  workspace_id: workspace,
  name,
  limits,
  thresholds,
  created_at: at,
  updated_at: at
})

export const change = (
  rule: AlertRule,
  patch: AlertRulePatch,
  at: string
): Result.Result<AlertRule> => Result.succeed(setUpdatedAt(rule, { ...rule, ...patch }, at))
