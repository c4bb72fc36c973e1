/** Operations on alerts. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { Alert } from "../../engine/observability/alerts/Alert.ts"
import { Authentication, BadRequest, resourceErrors } from "../contract/ErrorEnvelope.ts"
import { cursorPageEnvelope } from "../contract/envelopes.ts"
import { RequiredCaller } from "../contract/operationAnnotations.ts"
import { cursorQuery } from "../contract/pageQueries.ts"
import { textParameter } from "../contract/queryParameters.ts"

export class AlertsApi extends HttpApiGroup.make("alerts")
  .add(
    HttpApiEndpoint.get("list", "/api/v1/signalbox/alerts", {
      query: {
        ...cursorQuery,
        workspace_id: textParameter("Id or slug of a workspace. Default: all workspaces.")
      },
      success: cursorPageEnvelope(Alert),
      error: [...resourceErrors, BadRequest]
    }).annotate(OpenApi.Summary, "List the alerts of an account, newest first.")
  )
  .middleware(Authentication)
  .annotate(RequiredCaller, "management")
  .annotate(OpenApi.Title, "Alerts") {}
