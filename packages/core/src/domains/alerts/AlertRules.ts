/** Manages alert rules. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { makeOwnedResource } from "../../tenants/workspaces/makeOwnedResource.ts"
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import type { OwnedResource } from "../../values/OwnedResource.ts"
import { CurrentAlertConfig } from "./AlertOptions.ts"
import {
  type AlertRule,
  type AlertRulePatch,
  AlertRuleStore,
  change,
  make,
  type NewAlertRule
} from "./AlertRule.ts"

/** Alert rules of workspaces. */
export class AlertRules extends Context.Service<
  AlertRules,
  OwnedResource<AlertRule, NewAlertRule, AlertRulePatch>
>()("@signalbox/core/domains/alerts/AlertRules") {
  static readonly layer = Layer.effect(
    AlertRules,
    Effect.flatMap(CurrentAlertConfig, (config) =>
      makeOwnedResource(AlertRuleStore, {
        name: "alert_rule",
        resource: "alert rule",
        quota: "alertRules",
        // Without `alerts` nothing is watched, and a stored rule would look like one that works.
        make: (rule: Omit<NewAlertRule, "workspace_id">, origin) =>
          config === undefined ? Result.fail(alertsOff) : Result.succeed(make(rule, origin)),
        change
      })
    )
  )
}

const alertsOff = new InvalidRequest({
  path: [],
  problem: "this instance sends no alerts; its host turns them on by the option `alerts`"
})
