/** Guardrails and whom they are assigned to. Sources: interface specification, wire. */
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { KeyAssignment, MemberAssignment } from "../../guardrails/Assignment.ts"
import { Guardrail, GuardrailPatch, NewGuardrail } from "../../guardrails/Guardrail.ts"
import { UserId } from "../../values/UserId.ts"
import { Authentication } from "./Authentication.ts"
import { Deleted, dataOf, listOf, pagingQuery } from "./envelopes.ts"
import { always, BadRequest, ofOne, PayloadTooLarge } from "./ErrorEnvelope.ts"
import { isMaxCharacters } from "../../values/characters.ts"

/** The interface has null for these alone. */
const nullable: ReadonlySet<string> = new Set([
  "allowed_models",
  "allowed_providers",
  "ignored_models",
  "ignored_providers"
])

const { created_at, id, include_byok_in_budgets, name, updated_at, workspace_id, ...stated } =
  Guardrail.fields
const { allowed_models, allowed_providers, ignored_models, ignored_providers, ...others } = stated

/** As it is told: what is not set is left out where the interface has no null. */
const ToldGuardrail = Schema.Struct({
  id,
  name,
  workspace_id,
  allowed_models,
  allowed_providers,
  ignored_models,
  ignored_providers,
  include_byok_in_budgets,
  created_at,
  updated_at,
  ...Schema.Struct(others).mapFields(Struct.map(Schema.optionalKey)).fields
})

export const toldGuardrail = (guardrail: Guardrail): object =>
  Object.fromEntries(
    Object.entries(guardrail).filter(([field, value]) => value !== null || nullable.has(field))
  )

export const Keys = Schema.Struct({
  key_hashes: Schema.Array(Schema.String.check(isMaxCharacters(64))).check(
    Schema.isMaxLength(1_000)
  )
})
export const Members = Schema.Struct({
  member_user_ids: Schema.Array(UserId).check(Schema.isMaxLength(1_000))
})

const Assigned = Schema.Struct({ assigned_count: Schema.Int })
const Unassigned = Schema.Struct({ unassigned_count: Schema.Int })
const ofId = { id: Schema.String }

export class GuardrailsApi extends HttpApiGroup.make("guardrails")
  .add(
    HttpApiEndpoint.get("list", "/api/v1/guardrails", {
      query: {
        ...pagingQuery,
        workspace_id: Schema.optionalKey(
          Schema.String.annotate({ description: "Default: the account's default workspace." })
        )
      },
      success: listOf(ToldGuardrail),
      error: [...always, BadRequest]
    }).annotate(OpenApi.Summary, "Guardrails of a workspace"),
    HttpApiEndpoint.post("create", "/api/v1/guardrails", {
      payload: NewGuardrail,
      success: dataOf(ToldGuardrail).annotate({ httpApiStatus: 201 }),
      error: [...always, BadRequest, PayloadTooLarge]
    }).annotate(OpenApi.Summary, "Makes a guardrail; it restricts nobody until it is assigned"),
    HttpApiEndpoint.get("keyAssignments", "/api/v1/guardrails/assignments/keys", {
      query: pagingQuery,
      success: listOf(KeyAssignment),
      error: [...always, BadRequest]
    }).annotate(OpenApi.Summary, "Keys with a guardrail"),
    HttpApiEndpoint.get("memberAssignments", "/api/v1/guardrails/assignments/members", {
      query: pagingQuery,
      success: listOf(MemberAssignment),
      error: [...always, BadRequest]
    }).annotate(OpenApi.Summary, "Members with a guardrail"),
    HttpApiEndpoint.get("get", "/api/v1/guardrails/:id", {
      params: ofId,
      success: dataOf(ToldGuardrail),
      error: ofOne
    }).annotate(OpenApi.Summary, "A guardrail"),
    HttpApiEndpoint.patch("update", "/api/v1/guardrails/:id", {
      params: ofId,
      payload: GuardrailPatch,
      success: dataOf(ToldGuardrail),
      error: [...ofOne, BadRequest, PayloadTooLarge]
    }).annotate(
      OpenApi.Summary,
      "Changes what is named, leaves the rest; makes the default guardrail of a workspace"
    ),
    HttpApiEndpoint.delete("delete", "/api/v1/guardrails/:id", {
      params: ofId,
      success: Deleted,
      error: ofOne
    }).annotate(OpenApi.Summary, "Deletes a guardrail with its assignments"),
    HttpApiEndpoint.get("keyAssignmentsOf", "/api/v1/guardrails/:id/assignments/keys", {
      params: ofId,
      query: pagingQuery,
      success: listOf(KeyAssignment),
      error: [...ofOne, BadRequest]
    }).annotate(OpenApi.Summary, "Keys a guardrail is assigned to"),
    HttpApiEndpoint.post("assignKeys", "/api/v1/guardrails/:id/assignments/keys", {
      params: ofId,
      payload: Keys,
      success: Assigned,
      error: [...ofOne, BadRequest, PayloadTooLarge]
    }).annotate(OpenApi.Summary, "Assigns a guardrail to keys, in the place of those they had"),
    HttpApiEndpoint.post("unassignKeys", "/api/v1/guardrails/:id/assignments/keys/remove", {
      params: ofId,
      payload: Keys,
      success: Unassigned,
      error: [...ofOne, BadRequest, PayloadTooLarge]
    }).annotate(OpenApi.Summary, "Takes a guardrail from keys"),
    HttpApiEndpoint.get("memberAssignmentsOf", "/api/v1/guardrails/:id/assignments/members", {
      params: ofId,
      query: pagingQuery,
      success: listOf(MemberAssignment),
      error: [...ofOne, BadRequest]
    }).annotate(OpenApi.Summary, "Members a guardrail is assigned to"),
    HttpApiEndpoint.post("assignMembers", "/api/v1/guardrails/:id/assignments/members", {
      params: ofId,
      payload: Members,
      success: Assigned,
      error: [...ofOne, BadRequest, PayloadTooLarge]
    }).annotate(OpenApi.Summary, "Assigns a guardrail to members, in the place of those they had"),
    HttpApiEndpoint.post("unassignMembers", "/api/v1/guardrails/:id/assignments/members/remove", {
      params: ofId,
      payload: Members,
      success: Unassigned,
      error: [...ofOne, BadRequest, PayloadTooLarge]
    }).annotate(OpenApi.Summary, "Takes a guardrail from members")
  )
  .middleware(Authentication)
  .annotate(OpenApi.Title, "Guardrails") {}
