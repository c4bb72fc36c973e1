/** Operations on guardrails and their assignments. */
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import {
  KeyAssignmentResponse,
  MemberAssignmentResponse
} from "../../tenants/guardrails/Assignment.ts"
import { Guardrail, GuardrailPatch, NewGuardrail } from "../../tenants/guardrails/Guardrail.ts"
import { NewUserId, UserId } from "../../values/ids/Ids.ts"
import { RequiredCaller } from "../contract/operationAnnotations.ts"
import {
  authenticatedErrors,
  Authentication,
  BadRequest,
  PayloadTooLarge,
  resourceErrors
} from "../contract/ErrorEnvelope.ts"
import { dataEnvelope, pageEnvelope } from "../contract/envelopes.ts"
import { pageQuery, workspacePageQuery } from "../contract/pageQueries.ts"
import { resourceEndpoints, summarize } from "../contract/resourceEndpoints.ts"
import { isMaxCharacters } from "../../values/validation/text.ts"

/** Only these fields may be null in a response. */
const nullableFields: ReadonlySet<string> = new Set([
  "allowed_models",
  "allowed_providers",
  "ignored_models",
  "ignored_providers"
])

const {
  content_filter_builtins,
  content_filter_checks,
  content_filters,
  created_at,
  enforce_no_store,
  id,
  include_byok_in_budgets,
  name,
  soft_limit,
  updated_at,
  workspace_id,
  ...rest
} = Guardrail.fields
const { allowed_models, allowed_providers, ignored_models, ignored_providers, ...optional } = rest

/** Unset fields are omitted, except those that may be null. */
const GuardrailResponse = Schema.Struct({
  id,
  name,
  workspace_id,
  allowed_models,
  allowed_providers,
  ignored_models,
  ignored_providers,
  include_byok_in_budgets,
  soft_limit,
  content_filter_builtins,
  content_filter_checks,
  content_filters,
  enforce_no_store,
  created_at,
  updated_at,
  ...Schema.Struct(optional).mapFields(Struct.map(Schema.optionalKey)).fields
})

export const toGuardrailResponse = (guardrail: Guardrail): typeof GuardrailResponse.Type =>
  // Safe: the filter drops only optional keys, which the type of `fromEntries` cannot express.
  Object.fromEntries(
    Object.entries(guardrail).filter(
      ([field, value]) => value !== null || nullableFields.has(field)
    )
  ) as typeof GuardrailResponse.Type

const KeyHashesRequest = Schema.Struct({
  key_hashes: Schema.Array(Schema.String.check(isMaxCharacters(64))).check(
    Schema.isMaxLength(1_000)
  )
})
const MemberIdsRequest = Schema.Struct({
  member_user_ids: Schema.Array(UserId).check(Schema.isMaxLength(1_000))
})
const NewMemberIdsRequest = Schema.Struct({
  member_user_ids: Schema.Array(NewUserId).check(Schema.isMaxLength(1_000))
})

const AssignedResponse = Schema.Struct({ assigned_count: Schema.Int })
const UnassignedResponse = Schema.Struct({ unassigned_count: Schema.Int })
const idParams = { id: Schema.String }

const { create, get, list, remove, update } = resourceEndpoints({
  path: "/api/v1/guardrails",
  id: "id",
  item: GuardrailResponse,
  query: workspacePageQuery,
  create: NewGuardrail,
  created: dataEnvelope(GuardrailResponse),
  update: GuardrailPatch,
  summaries: {
    ...summarize("a guardrail", "guardrails"),
    create: "Create a guardrail. It has no effect until it is assigned.",
    update:
      "Update a guardrail, or create the default guardrail of a workspace. Omitted fields keep their values.",
    remove: "Delete a guardrail and its assignments."
  }
})

export class GuardrailsApi extends HttpApiGroup.make("guardrails")
  .add(
    list,
    create,
    HttpApiEndpoint.get("listAllKeyAssignments", "/api/v1/guardrails/assignments/keys", {
      query: pageQuery,
      success: pageEnvelope(KeyAssignmentResponse),
      error: [...authenticatedErrors, BadRequest]
    }).annotate(OpenApi.Summary, "List all guardrail assignments to keys."),
    HttpApiEndpoint.get("listAllMemberAssignments", "/api/v1/guardrails/assignments/members", {
      query: pageQuery,
      success: pageEnvelope(MemberAssignmentResponse),
      error: [...authenticatedErrors, BadRequest]
    }).annotate(OpenApi.Summary, "List all guardrail assignments to members."),
    get,
    update,
    remove,
    HttpApiEndpoint.get("listKeyAssignments", "/api/v1/guardrails/:id/assignments/keys", {
      params: idParams,
      query: pageQuery,
      success: pageEnvelope(KeyAssignmentResponse),
      error: [...resourceErrors, BadRequest]
    }).annotate(OpenApi.Summary, "List the keys that a guardrail is assigned to."),
    HttpApiEndpoint.post("assignKeys", "/api/v1/guardrails/:id/assignments/keys", {
      params: idParams,
      payload: KeyHashesRequest,
      success: AssignedResponse,
      error: [...resourceErrors, BadRequest, PayloadTooLarge]
    }).annotate(
      OpenApi.Summary,
      "Assign a guardrail to keys. It replaces their previous guardrail."
    ),
    HttpApiEndpoint.post("unassignKeys", "/api/v1/guardrails/:id/assignments/keys/remove", {
      params: idParams,
      payload: KeyHashesRequest,
      success: UnassignedResponse,
      error: [...resourceErrors, BadRequest, PayloadTooLarge]
    }).annotate(OpenApi.Summary, "Remove a guardrail from keys."),
    HttpApiEndpoint.get("listMemberAssignments", "/api/v1/guardrails/:id/assignments/members", {
      params: idParams,
      query: pageQuery,
      success: pageEnvelope(MemberAssignmentResponse),
      error: [...resourceErrors, BadRequest]
    }).annotate(OpenApi.Summary, "List the members that a guardrail is assigned to."),
    HttpApiEndpoint.post("assignMembers", "/api/v1/guardrails/:id/assignments/members", {
      params: idParams,
      payload: NewMemberIdsRequest,
      success: AssignedResponse,
      error: [...resourceErrors, BadRequest, PayloadTooLarge]
    }).annotate(
      OpenApi.Summary,
      "Assign a guardrail to members. It replaces their previous guardrail."
    ),
    HttpApiEndpoint.post("unassignMembers", "/api/v1/guardrails/:id/assignments/members/remove", {
      params: idParams,
      payload: MemberIdsRequest,
      success: UnassignedResponse,
      error: [...resourceErrors, BadRequest, PayloadTooLarge]
    }).annotate(OpenApi.Summary, "Remove a guardrail from members.")
  )
  .middleware(Authentication)
  .annotate(RequiredCaller, "management")
  .annotate(OpenApi.Title, "Guardrails") {}
