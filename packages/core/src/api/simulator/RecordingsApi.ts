/** The operation that exports recorded traffic for simulations. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { authenticatedErrors, Authentication, BadRequest } from "../contract/ErrorEnvelope.ts"
import { cursorPageEnvelope } from "../contract/envelopes.ts"
import { RequiredCaller } from "../contract/operationAnnotations.ts"
import { integerParameter, timeParameter } from "../contract/queryParameters.ts"
import { generationCursorParameter } from "../contract/pageQueries.ts"
import { RecordedRequest } from "../../domains/simulator/recording/RecordedRequest.ts"

export class RecordingsApi extends HttpApiGroup.make("recordings")
  .add(
    HttpApiEndpoint.get("list", "/api/v1/signalbox/recording", {
      query: {
        since: timeParameter("Only requests that began then or later. Default: a day ago."),
        starting_after: generationCursorParameter,
        limit: integerParameter({
          minimum: 1,
          maximum: 1_000,
          default: 500,
          description:
            "Number of requests to read. The page leaves out those that no simulation replays."
        })
      },
      success: cursorPageEnvelope(RecordedRequest),
      error: [...authenticatedErrors, BadRequest]
    })
      .annotate(
        OpenApi.Summary,
        "Export the traffic of all accounts for simulations, without content."
      )
      .annotate(
        OpenApi.Description,
        "Export the traffic of all accounts for simulations, in the order of time: when requests came, how long they were, and how each attempt ended. No content and no callers. Videos, requests without an attempt, and those on customers' own credentials are left out."
      )
  )
  .middleware(Authentication)
  .annotate(RequiredCaller, "operator")
  .annotate(OpenApi.Title, "Recordings") {}
