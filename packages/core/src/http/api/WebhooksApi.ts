/** Webhook settings of workspaces, under `{base}/signalbox/workspaces`. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { Webhook, WebhookConfig, WebhookSecret } from "../../workspaces/Webhook.ts"
import { Authentication } from "./Authentication.ts"
import { Deleted, dataOf, listOf } from "./envelopes.ts"
import {
  BadRequest,
  Forbidden,
  InternalServerError,
  NotFound,
  PayloadTooLarge,
  TooManyRequests,
  Unauthorized
} from "./ErrorEnvelope.ts"

const ofOne = [Unauthorized, Forbidden, NotFound, TooManyRequests, InternalServerError]

const path = "/api/v1/signalbox/workspaces/:id/webhook"
const id = { id: Schema.String }

/** The secret is told here and nowhere else. */
const IssuedSecret = Schema.Struct({ data: WebhookSecret, secret: Schema.String })

export class WebhooksApi extends HttpApiGroup.make("webhooks")
  .add(
    HttpApiEndpoint.get("get", path, {
      params: id,
      success: dataOf(Webhook),
      error: ofOne
    }).annotate(OpenApi.Summary, "Where the events of a workspace go"),
    HttpApiEndpoint.put("put", path, {
      params: id,
      payload: WebhookConfig,
      success: dataOf(Webhook),
      error: [...ofOne, BadRequest, PayloadTooLarge]
    }).annotate(OpenApi.Summary, "Sets where the events of a workspace go"),
    HttpApiEndpoint.delete("delete", path, {
      params: id,
      success: Deleted,
      error: ofOne
    }).annotate(OpenApi.Summary, "Removes the address and all signing secrets"),
    HttpApiEndpoint.get("secrets", `${path}/secrets`, {
      params: id,
      success: listOf(WebhookSecret),
      error: ofOne
    }).annotate(OpenApi.Summary, "Signing secrets of a workspace, masked"),
    HttpApiEndpoint.post("createSecret", `${path}/secrets`, {
      params: id,
      success: IssuedSecret.annotate({ httpApiStatus: 201 }),
      error: [...ofOne, BadRequest]
    }).annotate(OpenApi.Summary, "Makes a signing secret, told once; two may be active"),
    HttpApiEndpoint.delete("deleteSecret", `${path}/secrets/:secretId`, {
      params: { ...id, secretId: Schema.String },
      success: Deleted,
      error: ofOne
    }).annotate(OpenApi.Summary, "Deletes a signing secret; it signs nothing from then on")
  )
  .middleware(Authentication)
  .annotate(OpenApi.Title, "Webhooks") {}
