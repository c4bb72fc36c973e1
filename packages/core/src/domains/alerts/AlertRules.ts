/** Manages alert rules. */
import * as Context from "effect/Context"
import { layerOwnedResource } from "../../tenants/workspaces/layerOwnedResource.ts"
import { importNamed } from "../../values/layerOnDemand.ts"
import type { OwnedResource } from "../../values/OwnedResource.ts"
import type { AlertRule, AlertRulePatch, NewAlertRule } from "./AlertRule.ts"
import { AlertRuleStore } from "./AlertRuleStore.ts"

/** Alert rules of workspaces. */
export class AlertRules extends Context.Service<
  AlertRules,
  OwnedResource<AlertRule, NewAlertRule, AlertRulePatch>
>()("@signalbox/core/domains/alerts/AlertRules") {
  static readonly layer = layerOwnedResource(
    AlertRules,
    AlertRuleStore,
    importNamed(() => import("./AlertRule.ts"), "alertRuleRules")
  )
}
