/** Operations on alert rules. */
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { AlertRule, AlertRulePatch, NewAlertRule } from "../../domains/alerts/AlertRule.ts"
import { Authentication } from "../contract/ErrorEnvelope.ts"
import { dataEnvelope } from "../contract/envelopes.ts"
import { RequiredCaller } from "../contract/operationAnnotations.ts"
import { workspacePageQuery } from "../contract/pageQueries.ts"
import { resourceEndpoints, summarize } from "../contract/resourceEndpoints.ts"

const { create, get, list, remove, update } = resourceEndpoints({
  path: "/api/v1/signalbox/alert-rules",
  id: "id",
  item: AlertRule,
  query: workspacePageQuery,
  create: NewAlertRule,
  created: dataEnvelope(AlertRule),
  update: AlertRulePatch,
  summaries: {
    ...summarize("an alert rule", "alert rules"),
    create:
      "Create an alert rule, which tells the webhook of its workspace when a limit of that workspace crosses a threshold."
  }
})

export class AlertRulesApi extends HttpApiGroup.make("alertRules")
  .add(list, create, get, update, remove)
  .middleware(Authentication)
  .annotate(RequiredCaller, "management")
  .annotate(OpenApi.Title, "Alert rules") {}
