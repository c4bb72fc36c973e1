/** Manages alert rules. */
import * as Context from "effect/Context"
import { buildBeforeDeletion } from "../../tenants/workspaces/Workspaces.ts"
import type { OwnedResource } from "../../values/OwnedResource.ts"
import { importNamed, layerOnDemand } from "../../values/layerOnDemand.ts"
import type { AlertRule, AlertRulePatch, NewAlertRule } from "./AlertRule.ts"

/** Alert rules of workspaces. */
export class AlertRules extends Context.Service<
  AlertRules,
  OwnedResource<AlertRule, NewAlertRule, AlertRulePatch>
>()("@signalbox/core/domains/alerts/AlertRules") {
  static readonly layer = layerOnDemand(
    AlertRules,
    { get: "call", list: "call", create: "call", update: "call", remove: "call" },
    importNamed(() => import("./layerAlertRules.ts"), "layerAlertRules"),
    buildBeforeDeletion
  )
}
