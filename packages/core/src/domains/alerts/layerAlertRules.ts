/** Manages alert rules. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { makeOwnedResource } from "../../tenants/workspaces/makeOwnedResource.ts"
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import { change, make, type NewAlertRule } from "./AlertRule.ts"
import { AlertRules } from "./AlertRules.ts"
import { AlertRuleStore } from "./AlertRuleStore.ts"
import { CurrentAlertConfig } from "./CurrentAlertConfig.ts"

export const layerAlertRules = Layer.effect(
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

const alertsOff = new InvalidRequest({
  path: [],
  problem: "this instance sends no alerts; its host turns them on by the option `alerts`"
})
