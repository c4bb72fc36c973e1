/** What an account wants to be warned of. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { Limit } from "../../engine/ledger/Limit.ts"
import { AlertThresholds } from "../../engine/observability/alerts/Alert.ts"
import type { ResourceRules } from "../../tenants/workspaces/makeOwnedResource.ts"
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import { setUpdatedAt } from "../../values/setUpdatedAt.ts"
import { isMaxCharacters, isPlainText } from "../../values/validation/text.ts"
import { CurrentAlertConfig } from "./CurrentAlertConfig.ts"

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

/** Without the option `alerts` nothing is watched, and a stored rule would look like one that works. */
export const alertRuleRules: Effect.Effect<ResourceRules<AlertRule, NewAlertRule, AlertRulePatch>> =
  Effect.map(CurrentAlertConfig, (config) => ({
    name: "alert_rule",
    resource: "alert rule",
    quota: "alertRules",
    make: ({ limits = null, name, thresholds }, { at, id, workspace }) =>
      config === undefined
        ? Result.fail(alertsOff)
        : Result.succeed({
            id,
            workspace_id: workspace,
            name,
            limits,
            thresholds,
            created_at: at,
            updated_at: at
          }),
    change: (rule, patch, at) => Result.succeed(setUpdatedAt(rule, { ...rule, ...patch }, at))
  }))

const alertsOff = new InvalidRequest({
  path: [],
  problem: "this instance sends no alerts; its host turns them on by the option `alerts`"
})
