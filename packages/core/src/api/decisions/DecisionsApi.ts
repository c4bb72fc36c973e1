/** The Decision operation, which is served at three paths. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { Decision, DecisionRequest } from "../../domains/decisions/Decision.ts"
import { SessionId } from "../../values/ids/Ids.ts"
import { HidesKeyProblems, RawBody, RequiredCaller } from "../contract/operationAnnotations.ts"
import { Authentication, routedErrors } from "../contract/ErrorEnvelope.ts"
import { routingMetadataFields, routingHeaders } from "../contract/routingMetadataFields.ts"

const decisionEndpoint = {
  headers: {
    "x-session-id": Schema.optionalKey(SessionId),
    ...routingHeaders
  },
  payload: DecisionRequest,
  success: Schema.Struct({
    ...Decision.fields,
    ...routingMetadataFields
  }),
  error: routedErrors
} as const

const summary = "Create a Decision: one typed answer for each named question about the content."

export class DecisionsApi extends HttpApiGroup.make("decisions")
  .add(
    HttpApiEndpoint.post("create", "/api/alpha/decisions", decisionEndpoint).annotate(
      OpenApi.Summary,
      summary
    ),
    HttpApiEndpoint.post(
      "createUnderBase",
      "/api/v1/api/alpha/decisions",
      decisionEndpoint
    ).annotate(OpenApi.Summary, `${summary} Alias of \`/api/alpha/decisions\`.`),
    HttpApiEndpoint.post("systemone", "/api/v1/systemone", decisionEndpoint).annotate(
      OpenApi.Summary,
      `${summary} Alias of \`/api/alpha/decisions\`.`
    )
  )
  .middleware(Authentication)
  .annotate(RequiredCaller, "model")
  .annotate(RawBody, true)
  .annotate(HidesKeyProblems, true)
  .annotate(OpenApi.Title, "Decisions") {}
