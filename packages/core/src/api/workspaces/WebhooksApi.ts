/** Operations on the webhook of a workspace and its signing secrets. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
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
