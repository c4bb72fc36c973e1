/** Operations on alert rules. */
import { AlertRule, AlertRulePatch, NewAlertRule } from "../../domains/alerts/AlertRule.ts"
import { resourceGroup, summarize } from "../contract/resourceEndpoints.ts"

export class AlertRulesApi extends resourceGroup("alertRules", {
  title: "Alert rules",
  path: "/api/v1/signalbox/alert-rules",
  item: AlertRule,
  create: NewAlertRule,
  update: AlertRulePatch,
  summaries: {
    ...summarize("an alert rule", "alert rules"),
    create:
      "Create an alert rule, which tells the webhook of its workspace when a limit of that workspace crosses a threshold."
  }
}) {}
