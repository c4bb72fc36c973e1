/** Interns: managed agents, each created once and with a private vault. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { InternPatch, NewIntern } from "../InternRequest.ts"
import { InternStatus } from "../InternStatus.ts"
import {
  BodyRules,
  type BodyRulesShape,
  ErrorFormat,
  HasClosedStatuses,
  internBodyRules,
  RequiredCaller,
  RequiresInternAccess,
  TimeLimited,
  UnavailableStatus
} from "../../http/contract/operationAnnotations.ts"
import { makeCursorQuery } from "../../http/contract/pageQueries.ts"
import {
  headerParameter,
  literalListParameter,
  textParameter
} from "../../http/contract/queryParameters.ts"
import { internChatEndpoint } from "./internChatEndpoint.ts"
import { InternAuthentication } from "./InternAuthentication.ts"
import { cursorPageEnvelope } from "../../http/contract/envelopes.ts"
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

const InternResponse = Schema.Struct({
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

const CreateInternRequest = Schema.Struct({
  ...NewIntern.fields,
  /** That of the key; it may be left out where `Settings.internWorkspaceFromKey` says so. */
  workspace_id: Schema.optionalKey(Schema.String)
})

const DeleteInternRequest = Schema.Struct({
  /** Has an intern deleted whose work could not be archived; default: false. */
  acknowledge_workspace_loss: Schema.optionalKey(Schema.Boolean)
})

const ProvisioningResponse = Schema.Struct({ provisioning: Schema.Literal(true) })
const SuspendedResponse = Schema.Struct({ suspended: Schema.Literal(true) })
const DeletingResponse = Schema.Struct({ deleting: Schema.Literal(true) })

const path = "/api/v1/interns"
const internParams = { internId: Schema.String }

const readErrors = [
  InternUnauthorized,
  InternForbidden,
  InternNotFound,
  InternTimeout,
  InternTooManyRequests,
  InternInternalError
] as const
const writeErrors = [
  ...readErrors,
  InternBadRequest,
  InternConflict,
  InternPayloadTooLarge,
  InternNotJson
] as const
const lifecycleErrors = [...writeErrors, InternUpstreamUnavailable] as const

const emptyBodyRules: BodyRulesShape = {
  ...internBodyRules,
  whenEmpty: "{}",
  mustBeEmpty: true
}

export class InternsApi extends HttpApiGroup.make("interns")
  .add(
    HttpApiEndpoint.post("create", path, {
      headers: {
        /** The same create, however often it is sent; default: one made of the body. */
        "idempotency-key": headerParameter({ maxLength: 255 })
      },
      payload: CreateInternRequest,
      success: [
        InternResponse.annotate({ httpApiStatus: 201 }),
        InternResponse.annotate({
          httpApiStatus: 200,
          description: "It was made by an earlier request"
        })
      ],
      // Clients take a 502 for an intern that exists; an unavailable instance answers 500.
      error: lifecycleErrors
    }).annotate(OpenApi.Summary, "Makes an intern and its vault, once"),
    HttpApiEndpoint.get("list", path, {
      query: {
        ...makeCursorQuery({ maximum: 500, default: 100 }),
        status: literalListParameter(InternStatus.literals, "Default: all."),
        workspace_id: textParameter("That of the key, which is the default.")
      },
      success: cursorPageEnvelope(InternResponse),
      error: [...readErrors, InternBadRequest]
    }).annotate(OpenApi.Summary, "Interns of the key's workspace, newest first"),
    HttpApiEndpoint.get("get", `${path}/:internId`, {
      params: internParams,
      success: InternResponse,
      error: readErrors
    }).annotate(OpenApi.Summary, "One intern"),
    HttpApiEndpoint.patch("update", `${path}/:internId`, {
      params: internParams,
      payload: InternPatch,
      success: InternResponse,
      error: writeErrors
    }).annotate(OpenApi.Summary, "Changes an intern; what is left out stays, null clears"),
    HttpApiEndpoint.delete("delete", `${path}/:internId`, {
      params: internParams,
      /** It may be left out as a whole. */
      payload: DeleteInternRequest,
      success: DeletingResponse.annotate({ httpApiStatus: 202 }),
      error: lifecycleErrors
    })
      .annotate(BodyRules, { ...internBodyRules, whenEmpty: "{}" })
      .annotate(UnavailableStatus, 502)
      .annotate(OpenApi.Summary, "Takes down an intern, with its vault; needs no body"),
    HttpApiEndpoint.post("provision", `${path}/:internId/provision`, {
      params: internParams,
      success: ProvisioningResponse.annotate({ httpApiStatus: 202 }),
      error: lifecycleErrors
    })
      .annotate(BodyRules, emptyBodyRules)
      .annotate(UnavailableStatus, 502)
      .annotate(OpenApi.Summary, "Boots an intern, or resumes a suspended one; takes no body"),
    HttpApiEndpoint.post("suspend", `${path}/:internId/suspend`, {
      params: internParams,
      success: SuspendedResponse,
      error: lifecycleErrors
    })
      .annotate(BodyRules, emptyBodyRules)
      .annotate(UnavailableStatus, 502)
      .annotate(OpenApi.Summary, "Stops an intern and keeps its disk and settings; takes no body")
  )
  .middleware(InternAuthentication)
  // After the middleware, which is for the endpoints above: a chat has its own errors.
  .add(internChatEndpoint)
  .annotate(RequiredCaller, "workspace")
  .annotate(RequiresInternAccess, true)
  .annotate(TimeLimited, "operation")
  .annotate(BodyRules, internBodyRules)
  .annotate(ErrorFormat, "intern")
  .annotate(HasClosedStatuses, true)
  .annotate(OpenApi.Title, "Interns") {}
