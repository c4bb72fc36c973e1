/** Webhook settings of workspaces, under `{base}/signalbox/workspaces`. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { Webhook, WebhookConfig, WebhookSecret } from "../Webhook.ts"
import { NoStore, RequiredCaller } from "../../http/contract/operationAnnotations.ts"
import { Authentication } from "../../http/contract/Authentication.ts"
import { DeletedResponse, dataEnvelope, pageEnvelope } from "../../http/contract/envelopes.ts"
import {
  BadRequest,
  Forbidden,
  InternalServerError,
  NotFound,
  PayloadTooLarge,
  TooManyRequests,
  Unauthorized
} from "../../http/contract/ErrorEnvelope.ts"

const webhookErrors = [Unauthorized, Forbidden, NotFound, TooManyRequests, InternalServerError]

const path = "/api/v1/signalbox/workspaces/:id/webhook"
const idParams = { id: Schema.String }

/** The secret is told here and nowhere else. */
const IssuedSecretResponse = Schema.Struct({ data: WebhookSecret, secret: Schema.String })

export class WebhooksApi extends HttpApiGroup.make("webhooks")
  .add(
    HttpApiEndpoint.get("get", path, {
      params: idParams,
      success: dataEnvelope(Webhook),
      error: webhookErrors
    }).annotate(OpenApi.Summary, "Where the events of a workspace go"),
    HttpApiEndpoint.put("set", path, {
      params: idParams,
      payload: WebhookConfig,
      success: dataEnvelope(Webhook),
      error: [...webhookErrors, BadRequest, PayloadTooLarge]
    }).annotate(OpenApi.Summary, "Sets where the events of a workspace go"),
    HttpApiEndpoint.delete("delete", path, {
      params: idParams,
      success: DeletedResponse,
      error: webhookErrors
    }).annotate(OpenApi.Summary, "Removes the address and all signing secrets"),
    HttpApiEndpoint.get("listSecrets", `${path}/secrets`, {
      params: idParams,
      success: pageEnvelope(WebhookSecret),
      error: webhookErrors
    }).annotate(OpenApi.Summary, "Signing secrets of a workspace, masked"),
    HttpApiEndpoint.post("createSecret", `${path}/secrets`, {
      params: idParams,
      success: IssuedSecretResponse.annotate({ httpApiStatus: 201 }),
      error: [...webhookErrors, BadRequest]
    })
      .annotate(NoStore, true)
      .annotate(OpenApi.Summary, "Makes a signing secret, told once; two may be active"),
    HttpApiEndpoint.delete("deleteSecret", `${path}/secrets/:secretId`, {
      params: { ...idParams, secretId: Schema.String },
      success: DeletedResponse,
      error: webhookErrors
    }).annotate(OpenApi.Summary, "Deletes a signing secret; it signs nothing from then on")
  )
  .middleware(Authentication)
  .annotate(RequiredCaller, "management")
  .annotate(OpenApi.Title, "Webhooks") {}
