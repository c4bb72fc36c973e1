/** Operations on interns: managed agents, each with a private vault. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { InternPatch, NewIntern } from "../../domains/interns/InternRequest.ts"
import { InternStatus } from "../../domains/interns/InternStatus.ts"
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
} from "../contract/operationAnnotations.ts"
import { makeCursorQuery } from "../contract/pageQueries.ts"
import {
  headerParameter,
  literalListParameter,
  textParameter
} from "../contract/queryParameters.ts"
import { internChatEndpoint } from "./internChatEndpoint.ts"
import {
  InternAuthentication,
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
import { cursorPageEnvelope } from "../contract/envelopes.ts"

const InternResponse = Schema.Struct({
  id: Schema.String,
  workspace_id: Schema.String,
  name: Schema.String,
  description: Schema.NullOr(Schema.String),
  /** Standing instructions. Changes to `instructions` and `model` apply from the next provisioning. */
  instructions: Schema.NullOr(Schema.String),
  /** Null for the default model of the workspace. */
  model: Schema.NullOr(Schema.String),
  status: InternStatus,
  /** Progress of the provisioning; null at other times. */
  progress: Schema.NullOr(
    Schema.Struct({
      step_label: Schema.String,
      /** Counts from 1. */
      step_number: Schema.Int,
      total_steps: Schema.Int
    })
  ),
  /** Message of the last failure; null without one. */
  last_failure_message: Schema.NullOr(Schema.String),
  /** Null until provisioned, and if the host assigns no hostnames. */
  hostname: Schema.NullOr(Schema.String),
  /** Id of the intern's own vault. */
  vault_id: Schema.NullOr(Schema.String),
  /** Id of another intern's vault that this intern reads too. */
  attached_vault_id: Schema.NullOr(Schema.String),
  /** ISO 8601. */
  created_at: Schema.String,
  updated_at: Schema.String
})

const CreateInternRequest = Schema.Struct({
  ...NewIntern.fields,
  /** Must be the workspace of the key. Required unless `settings.internWorkspaceFromKey` is true. */
  workspace_id: Schema.optionalKey(Schema.String)
})

const DeleteInternRequest = Schema.Struct({
  /** Whether to delete the intern even if its work could not be archived; default false. */
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
        "idempotency-key": headerParameter({
          maxLength: 255,
          description:
            "Requests with the same key create one intern. Default: a key derived from the body."
        })
      },
      payload: CreateInternRequest,
      success: [
        InternResponse.annotate({ httpApiStatus: 201 }),
        InternResponse.annotate({
          httpApiStatus: 200,
          description: "An earlier request with the same key created the intern"
        })
      ],
      // Clients take a 502 for an intern that exists; an unavailable instance answers 500.
      error: lifecycleErrors
    }).annotate(
      OpenApi.Summary,
      "Create an intern and its vault. Repeated requests return the same intern."
    ),
    HttpApiEndpoint.get("list", path, {
      query: {
        ...makeCursorQuery({ maximum: 500, default: 100 }),
        status: literalListParameter(
          InternStatus.literals,
          "Comma-separated statuses. Default: all."
        ),
        workspace_id: textParameter("Must be the workspace of the key, which is the default.")
      },
      success: cursorPageEnvelope(InternResponse),
      error: [...readErrors, InternBadRequest]
    }).annotate(OpenApi.Summary, "List the interns of the key's workspace, newest first."),
    HttpApiEndpoint.get("get", `${path}/:internId`, {
      params: internParams,
      success: InternResponse,
      error: readErrors
    }).annotate(OpenApi.Summary, "Get an intern by id."),
    HttpApiEndpoint.patch("update", `${path}/:internId`, {
      params: internParams,
      payload: InternPatch,
      success: InternResponse,
      error: writeErrors
    }).annotate(
      OpenApi.Summary,
      "Update an intern. Omitted fields keep their values; null clears a field."
    ),
    HttpApiEndpoint.delete("delete", `${path}/:internId`, {
      params: internParams,
      /** The body is optional. */
      payload: DeleteInternRequest,
      success: DeletingResponse.annotate({ httpApiStatus: 202 }),
      error: lifecycleErrors
    })
      .annotate(BodyRules, { ...internBodyRules, whenEmpty: "{}" })
      .annotate(UnavailableStatus, 502)
      .annotate(OpenApi.Summary, "Delete an intern and its vault. The body is optional."),
    HttpApiEndpoint.post("provision", `${path}/:internId/provision`, {
      params: internParams,
      success: ProvisioningResponse.annotate({ httpApiStatus: 202 }),
      error: lifecycleErrors
    })
      .annotate(BodyRules, emptyBodyRules)
      .annotate(UnavailableStatus, 502)
      .annotate(OpenApi.Summary, "Provision an intern, or resume a suspended one. Takes no body."),
    HttpApiEndpoint.post("suspend", `${path}/:internId/suspend`, {
      params: internParams,
      success: SuspendedResponse,
      error: lifecycleErrors
    })
      .annotate(BodyRules, emptyBodyRules)
      .annotate(UnavailableStatus, 502)
      .annotate(
        OpenApi.Summary,
        "Suspend an intern. Its disk and settings are kept. Takes no body."
      )
  )
  .middleware(InternAuthentication)
  // Added after the middleware, because chats have their own error envelope.
  .add(internChatEndpoint)
  .annotate(RequiredCaller, "workspace")
  .annotate(RequiresInternAccess, true)
  .annotate(TimeLimited, "operation")
  .annotate(BodyRules, internBodyRules)
  .annotate(ErrorFormat, "intern")
  .annotate(HasClosedStatuses, true)
  .annotate(OpenApi.Title, "Interns") {}
