/** Operations on the webhook of a workspace and its signing secrets. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { deliveryErrors } from "../../tenants/webhooks/Delivery.ts"
import { Webhook, WebhookConfig, WebhookSecret } from "../../tenants/workspaces/Webhook.ts"
import { NoStore, RequiredCaller } from "../contract/operationAnnotations.ts"
import {
  Authentication,
  BadRequest,
  Forbidden,
  InternalServerError,
  NotFound,
  PayloadTooLarge,
  TooManyRequests,
  Unauthorized
} from "../contract/ErrorEnvelope.ts"
import { DeletedResponse, dataEnvelope, pageEnvelope } from "../contract/envelopes.ts"

const webhookErrors = [Unauthorized, Forbidden, NotFound, TooManyRequests, InternalServerError]

const path = "/api/v1/signalbox/workspaces/:id/webhook"
const idParams = { id: Schema.String }

/** `secret` is in no other response. */
const IssuedSecretResponse = Schema.Struct({ data: WebhookSecret, secret: Schema.String })

/** A test event, and what became of it. */
export const WebhookTestResponse = Schema.Struct({
  /** The `webhook-id` header of the request to the receiver. */
  id: Schema.String,
  /** URL of the receiver, without its query. */
  url: Schema.String,
  /** Whether the receiver answered with a status from 200 to 299. */
  delivered: Schema.Boolean,
  duration_ms: Schema.Int,
  /** HTTP status of the receiver; null without a response. */
  status: Schema.NullOr(Schema.Int),
  /** Why there was no response; null with one. */
  error: Schema.NullOr(Schema.Literals(deliveryErrors))
})

export class WebhooksApi extends HttpApiGroup.make("webhooks")
  .add(
    HttpApiEndpoint.get("get", path, {
      params: idParams,
      success: dataEnvelope(Webhook),
      error: webhookErrors
    }).annotate(OpenApi.Summary, "Get the webhook of a workspace."),
    HttpApiEndpoint.put("set", path, {
      params: idParams,
      payload: WebhookConfig,
      success: dataEnvelope(Webhook),
      error: [...webhookErrors, BadRequest, PayloadTooLarge]
    }).annotate(OpenApi.Summary, "Create or replace the webhook of a workspace."),
    HttpApiEndpoint.delete("delete", path, {
      params: idParams,
      success: DeletedResponse,
      error: webhookErrors
    }).annotate(OpenApi.Summary, "Delete the webhook of a workspace and its signing secrets."),
    HttpApiEndpoint.post("test", `${path}/test`, {
      params: idParams,
      success: dataEnvelope(WebhookTestResponse),
      error: webhookErrors
    })
      .annotate(
        OpenApi.Summary,
        "Send a test event to the webhook of a workspace at once, and answer how it went."
      )
      .annotate(
        OpenApi.Description,
        "Send an event of type `webhook.test` to the webhook of a workspace at once, signed as any other, and answer how it went. It is sent once, and is not in the list of deliveries. A receiver that does not answer, or with another status, is a result of the test and no error of this operation."
      ),
    HttpApiEndpoint.get("listSecrets", `${path}/secrets`, {
      params: idParams,
      success: pageEnvelope(WebhookSecret),
      error: webhookErrors
    }).annotate(OpenApi.Summary, "List the signing secrets of a workspace, masked."),
    HttpApiEndpoint.post("createSecret", `${path}/secrets`, {
      params: idParams,
      success: IssuedSecretResponse.annotate({ httpApiStatus: 201 }),
      error: [...webhookErrors, BadRequest]
    })
      .annotate(NoStore, true)
      .annotate(
        OpenApi.Summary,
        "Create a signing secret. It is returned once; two can be active."
      ),
    HttpApiEndpoint.delete("deleteSecret", `${path}/secrets/:secretId`, {
      params: { ...idParams, secretId: Schema.String },
      success: DeletedResponse,
      error: webhookErrors
    }).annotate(
      OpenApi.Summary,
      "Delete a signing secret. Later deliveries are not signed with it."
    )
  )
  .middleware(Authentication)
  .annotate(RequiredCaller, "management")
  .annotate(OpenApi.Title, "Webhooks") {}
