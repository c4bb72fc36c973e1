/** Operations on customers: workspaces with a bundle of limits and rights. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import {
  Customer,
  CustomerPatch,
  NewCustomer,
  Suspension,
  usagePeriods
} from "../../domains/customers/Customer.ts"
import {
  authenticatedErrors,
  Authentication,
  BadRequest,
  Conflict,
  PayloadTooLarge,
  resourceErrors
} from "../contract/ErrorEnvelope.ts"
import { DeletedResponse, dataEnvelope, pageEnvelope } from "../contract/envelopes.ts"
import { BodyRules, NoStore, RequiredCaller } from "../contract/operationAnnotations.ts"
import { pageQuery } from "../contract/pageQueries.ts"
import { literalParameter } from "../contract/queryParameters.ts"
import { intervals } from "../../tenants/workspaces/Budget.ts"
import { CustomerUsageResponse } from "./CustomerUsageResponse.ts"

const path = "/api/v1/signalbox/customers"
const params = { slug: Schema.String }

/** The secrets are in no other response. */
const CreatedCustomerResponse = Schema.Struct({
  data: Customer,
  /** Whether this request has created it. */
  created: Schema.Boolean,
  /** The secret of its key; null when an earlier request has created it. */
  key: Schema.NullOr(Schema.String),
  /** The signing secret of its webhook; null without one, and when an earlier request has created it. */
  webhook_secret: Schema.NullOr(Schema.String)
})

export class CustomersApi extends HttpApiGroup.make("customers")
  .add(
    HttpApiEndpoint.get("list", path, {
      query: pageQuery,
      success: pageEnvelope(Customer),
      error: [...authenticatedErrors, BadRequest]
    }).annotate(OpenApi.Summary, "List the customers of the account, oldest first."),
    HttpApiEndpoint.post("create", path, {
      payload: NewCustomer,
      success: [
        CreatedCustomerResponse.annotate({ httpApiStatus: 201 }),
        CreatedCustomerResponse.annotate({
          httpApiStatus: 200,
          description:
            "An earlier request has created the customer; its secrets are not shown again"
        })
      ],
      error: [...authenticatedErrors, BadRequest, Conflict, PayloadTooLarge]
    })
      .annotate(NoStore, true)
      .annotate(
        OpenApi.Summary,
        "Create a customer with its workspace, key and webhook. Repeated requests return the same customer."
      ),
    HttpApiEndpoint.get("get", `${path}/:slug`, {
      params,
      success: dataEnvelope(Customer),
      error: resourceErrors
    }).annotate(OpenApi.Summary, "Get a customer by slug, or by the id of its workspace."),
    HttpApiEndpoint.patch("update", `${path}/:slug`, {
      params,
      payload: CustomerPatch,
      success: dataEnvelope(Customer),
      error: [...resourceErrors, BadRequest, PayloadTooLarge]
    }).annotate(
      OpenApi.Summary,
      "Move a customer to another bundle, or rename it. Omitted fields keep their values."
    ),
    HttpApiEndpoint.post("suspend", `${path}/:slug/suspend`, {
      params,
      payload: Suspension,
      success: dataEnvelope(Customer),
      error: [...resourceErrors, BadRequest, PayloadTooLarge]
    })
      .annotate(BodyRules, { whenEmpty: "{}" })
      .annotate(OpenApi.Summary, "Refuse the requests of a customer until it is resumed."),
    HttpApiEndpoint.post("resume", `${path}/:slug/resume`, {
      params,
      success: dataEnvelope(Customer),
      error: [...resourceErrors, BadRequest]
    }).annotate(OpenApi.Summary, "Answer the requests of a suspended customer again."),
    HttpApiEndpoint.get("usage", `${path}/:slug/usage`, {
      params,
      query: {
        interval: literalParameter(intervals, "The length of the period. Default: `monthly`."),
        period: literalParameter(
          usagePeriods,
          "`current`: the running period, with the budgets. `previous`: the one before. Default: `current`."
        )
      },
      success: dataEnvelope(CustomerUsageResponse),
      error: [...resourceErrors, BadRequest]
    }).annotate(
      OpenApi.Summary,
      "Get what a customer has used and spent in a period, by model and by user."
    ),
    HttpApiEndpoint.delete("delete", `${path}/:slug`, {
      params,
      success: DeletedResponse,
      error: [...resourceErrors, BadRequest]
    }).annotate(OpenApi.Summary, "Delete a customer with its workspace and everything in it.")
  )
  .middleware(Authentication)
  .annotate(RequiredCaller, "operator")
  .annotate(OpenApi.Title, "Customers") {}
