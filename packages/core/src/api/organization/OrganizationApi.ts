/** Operations on the organization of an account. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { Authentication, BadRequest, resourceErrors } from "../contract/ErrorEnvelope.ts"
import { RequiredCaller } from "../contract/operationAnnotations.ts"
import { makePageQuery } from "../contract/pageQueries.ts"

const OrganizationMemberResponse = Schema.Struct({
  id: Schema.String,
  email: Schema.String,
  first_name: Schema.NullOr(Schema.String),
  last_name: Schema.NullOr(Schema.String),
  role: Schema.Literals(["org:admin", "org:member"])
})

export class OrganizationApi extends HttpApiGroup.make("organization")
  .add(
    HttpApiEndpoint.get("listMembers", "/api/v1/organization/members", {
      query: makePageQuery(),
      success: Schema.Struct({
        data: Schema.Array(OrganizationMemberResponse),
        total_count: Schema.Int
      }),
      error: [...resourceErrors, BadRequest]
    }).annotate(
      OpenApi.Summary,
      "List the people of the account, as the application of the host knows them."
    )
  )
  .middleware(Authentication)
  .annotate(RequiredCaller, "management")
  .annotate(OpenApi.Title, "Organization") {}
