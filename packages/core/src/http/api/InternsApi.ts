/** Interns: managed agents, each made once, with a private vault. Source: interface specification and wire, Interns. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { InternPatch, NewIntern } from "../../interns/InternRequest.ts"
import { InternStatus } from "../../interns/InternStatus.ts"
import { InternAuthentication } from "./InternAuthentication.ts"
import { scrolledOf } from "./envelopes.ts"
import {
  InternBadRequest,
  InternConflict,
  InternForbidden,
  InternInternalError,
  InternNotFound,
  InternNotJson,
  InternPayloadTooLarge,
  InternTimeout,
  InternTooManyRequests,
  InternUnauthorized,
  InternUpstreamUnavailable
} from "./InternErrorEnvelope.ts"

const Intern = Schema.Struct({
  id: Schema.String,
  workspace_id: Schema.String,
  name: Schema.String,
  description: Schema.NullOr(Schema.String),
  /** Standing instructions; what is changed holds from the next provision on, and `model` likewise. */
  instructions: Schema.NullOr(Schema.String),
  /** Null: the default of the workspace. */
  model: Schema.NullOr(Schema.String),
  status: InternStatus,
  /** While it is provisioned. */
  progress: Schema.NullOr(
    Schema.Struct({
      step_label: Schema.String,
      /** From 1. */
      step_number: Schema.Int,
      total_steps: Schema.Int
    })
  ),
  /** Why it failed. */
  last_failure_message: Schema.NullOr(Schema.String),
  /** Where it is reached; null until it was provisioned, and where the host gives it none. */
  hostname: Schema.NullOr(Schema.String),
  /** Of its own. */
  vault_id: Schema.NullOr(Schema.String),
  /** Of another intern, borrowed. */
  attached_vault_id: Schema.NullOr(Schema.String),
  /** ISO 8601. */
  created_at: Schema.String,
  updated_at: Schema.String
})

export const CreateIntern = Schema.Struct({
  ...NewIntern.fields,
  /** That of the key; it may be left out where `Settings.internWorkspaceFromKey` says so. */
  workspace_id: Schema.optionalKey(Schema.String)
})

export const DeleteIntern = Schema.Struct({
  /** Has an intern deleted whose work could not be archived; default: false. */
  acknowledge_workspace_loss: Schema.optionalKey(Schema.Boolean)
})

const Provisioning = Schema.Struct({ provisioning: Schema.Literal(true) })
const Suspended = Schema.Struct({ suspended: Schema.Literal(true) })
const Deleting = Schema.Struct({ deleting: Schema.Literal(true) })

const path = "/api/v1/interns"
const params = { internId: Schema.String }

const reading = [
  InternUnauthorized,
  InternForbidden,
  InternNotFound,
  InternTimeout,
  InternTooManyRequests,
  InternInternalError
] as const
const changing = [
  ...reading,
  InternBadRequest,
  InternConflict,
  InternPayloadTooLarge,
  InternNotJson
] as const
const moving = [...changing, InternUpstreamUnavailable] as const

export class InternsApi extends HttpApiGroup.make("interns")
  .add(
    HttpApiEndpoint.post("create", path, {
      headers: {
        /** 1 to 255 characters: the same create, however often it is sent; default: one made of the body. */
        "idempotency-key": Schema.optionalKey(Schema.String)
      },
      payload: CreateIntern,
      success: [
        Intern.annotate({ httpApiStatus: 201 }),
        Intern.annotate({ httpApiStatus: 200, description: "It was made by an earlier request" })
      ],
      error: moving
    }).annotate(OpenApi.Summary, "Makes an intern and its vault, once"),
    HttpApiEndpoint.get("list", path, {
      query: {
        limit: Schema.optionalKey(
          Schema.FiniteFromString.annotate({
            description: "How many to return; 1 to 500, default 100."
          })
        ),
        status: Schema.optionalKey(
          Schema.String.annotate({ description: "Statuses, separated by commas; default: all." })
        ),
        workspace_id: Schema.optionalKey(
          Schema.String.annotate({ description: "That of the key, which is the default." })
        ),
        starting_after: Schema.optionalKey(
          Schema.String.annotate({ description: "The next_cursor of the page before." })
        )
      },
      success: scrolledOf(Intern),
      error: [...reading, InternBadRequest]
    }).annotate(OpenApi.Summary, "Interns of the key's workspace, newest first"),
    HttpApiEndpoint.get("get", `${path}/:internId`, {
      params,
      success: Intern,
      error: reading
    }).annotate(OpenApi.Summary, "One intern"),
    HttpApiEndpoint.patch("update", `${path}/:internId`, {
      params,
      payload: InternPatch,
      success: Intern,
      error: changing
    }).annotate(OpenApi.Summary, "Changes an intern; what is left out stays, null clears"),
    HttpApiEndpoint.delete("delete", `${path}/:internId`, {
      params,
      /** It may be left out as a whole. */
      payload: DeleteIntern,
      success: Deleting.annotate({ httpApiStatus: 202 }),
      error: moving
    }).annotate(OpenApi.Summary, "Takes down an intern, with its vault; needs no body"),
    HttpApiEndpoint.post("provision", `${path}/:internId/provision`, {
      params,
      success: Provisioning.annotate({ httpApiStatus: 202 }),
      error: moving
    }).annotate(OpenApi.Summary, "Boots an intern, or resumes a suspended one; takes no body"),
    HttpApiEndpoint.post("suspend", `${path}/:internId/suspend`, {
      params,
      success: Suspended,
      error: moving
    }).annotate(OpenApi.Summary, "Stops an intern and keeps its disk and settings; takes no body")
  )
  .middleware(InternAuthentication)
  .annotate(OpenApi.Title, "Interns") {}
