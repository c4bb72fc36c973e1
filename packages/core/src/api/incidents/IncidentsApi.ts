/** Operations on the times in which providers failed. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { Incident, IncidentImpact } from "../../domains/incidents/Incident.ts"
import { authenticatedErrors, Authentication, BadRequest } from "../contract/ErrorEnvelope.ts"
import { cursorPageEnvelope } from "../contract/envelopes.ts"
import { RequiredCaller } from "../contract/operationAnnotations.ts"
import { makeCursorQuery } from "../contract/pageQueries.ts"
import { literalParameter, textParameter, timeParameter } from "../contract/queryParameters.ts"

const IncidentResponse = Schema.Struct({
  id: Incident.fields.id,
  provider: Incident.fields.provider,
  provider_name: Schema.String,
  /** `open` while any endpoint fails in any process. */
  state: Schema.Literals(["open", "ended"]),
  started_at: Incident.fields.started_at,
  /** In ISO 8601; null while it is open. */
  ended_at: Incident.fields.ended_at,
  endpoints: Incident.fields.endpoints,
  /** Null while it has not been counted. */
  impact: Schema.NullOr(IncidentImpact)
})

export class IncidentsApi extends HttpApiGroup.make("incidents")
  .add(
    HttpApiEndpoint.get("list", "/api/v1/signalbox/incidents", {
      query: {
        ...makeCursorQuery({ default: 20 }),
        provider: textParameter("Slug of a provider."),
        endpoint: textParameter("Id of an endpoint that failed."),
        state: literalParameter(["open", "ended"], "Whether they last. Default: all."),
        from: timeParameter("Only incidents that lasted then or later."),
        to: timeParameter("Only incidents that began before.")
      },
      success: cursorPageEnvelope(IncidentResponse),
      error: [...authenticatedErrors, BadRequest]
    })
      .annotate(
        OpenApi.Summary,
        "List the times in which endpoints of a provider failed, with causes and what became of their requests, newest first."
      )
      .annotate(
        OpenApi.Description,
        "List the times in which endpoints of a provider failed, newest first. All processes on a store report to one incident: it begins with the first open circuit breaker and ends when all are closed. `impact` counts the records of all accounts, up to 10,000 in a call; the next call goes on."
      )
  )
  .middleware(Authentication)
  .annotate(RequiredCaller, "operator")
  .annotate(OpenApi.Title, "Incidents") {}
