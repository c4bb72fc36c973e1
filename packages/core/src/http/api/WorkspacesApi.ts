/** Workspaces, their members and their budgets. Sources: interface specification, wire. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { UserId } from "../../values/UserId.ts"
import { Budget, BudgetConfig, Interval } from "../../workspaces/Budget.ts"
import { Member } from "../../workspaces/Member.ts"
import { NewWorkspace, Workspace, WorkspacePatch } from "../../workspaces/Workspace.ts"
import type { EffectiveWorkspace } from "../../workspaces/WorkspaceDefaults.ts"
import { Authentication } from "./Authentication.ts"
import { Deleted, dataOf, listOf, pagingQuery } from "./envelopes.ts"
import { always, BadRequest, ofOne, PayloadTooLarge } from "./ErrorEnvelope.ts"

/** As it is told: what is not set is empty, where the interface has no null. */
const ToldWorkspace = Schema.Struct({
  ...Workspace.fields,
  description: Schema.String,
  io_logging_sampling_rate: Schema.Finite,
  is_observability_broadcast_enabled: Schema.Boolean,
  is_observability_io_logging_enabled: Schema.Boolean,
  default_text_model: Schema.String,
  default_image_model: Schema.String,
  default_provider_sort: Schema.String
})

export const toldWorkspace = (workspace: EffectiveWorkspace): typeof ToldWorkspace.Type => ({
  ...workspace,
  description: workspace.description ?? "",
  default_text_model: workspace.default_text_model ?? "",
  default_image_model: workspace.default_image_model ?? "",
  default_provider_sort: workspace.default_provider_sort ?? ""
})

export const Users = Schema.Struct({
  user_ids: Schema.Array(UserId).check(Schema.isMaxLength(1_000))
})

const id = { id: Schema.String }
const ofBudget = { workspace_ref: Schema.String, interval: Interval }
const BudgetAnswer = Schema.Struct({ data: Budget, include_byok_in_budgets: Schema.Boolean })

export class WorkspacesApi extends HttpApiGroup.make("workspaces")
  .add(
    HttpApiEndpoint.get("list", "/api/v1/workspaces", {
      query: pagingQuery,
      success: listOf(ToldWorkspace),
      error: [...always, BadRequest]
    }).annotate(OpenApi.Summary, "Workspaces of the account"),
    HttpApiEndpoint.post("create", "/api/v1/workspaces", {
      payload: NewWorkspace,
      success: dataOf(ToldWorkspace).annotate({ httpApiStatus: 201 }),
      error: [...always, BadRequest, PayloadTooLarge]
    }).annotate(OpenApi.Summary, "Makes a workspace"),
    HttpApiEndpoint.get("get", "/api/v1/workspaces/:id", {
      params: id,
      success: dataOf(ToldWorkspace),
      error: ofOne
    }).annotate(OpenApi.Summary, "A workspace, by id or slug"),
    HttpApiEndpoint.patch("update", "/api/v1/workspaces/:id", {
      params: id,
      payload: WorkspacePatch,
      success: dataOf(ToldWorkspace),
      error: [...ofOne, BadRequest, PayloadTooLarge]
    }).annotate(OpenApi.Summary, "Changes what is named, leaves the rest"),
    HttpApiEndpoint.delete("delete", "/api/v1/workspaces/:id", {
      params: id,
      query: { confirm_default_workspace_deletion: Schema.optionalKey(Schema.Literal("true")) },
      success: Deleted,
      error: [...ofOne, BadRequest]
    }).annotate(OpenApi.Summary, "Deletes a workspace with its members and budgets"),
    HttpApiEndpoint.get("members", "/api/v1/workspaces/:id/members", {
      params: id,
      query: pagingQuery,
      success: listOf(Member),
      error: [...ofOne, BadRequest]
    }).annotate(OpenApi.Summary, "Members of a workspace"),
    HttpApiEndpoint.post("addMembers", "/api/v1/workspaces/:id/members/add", {
      params: id,
      payload: Users,
      success: Schema.Struct({ data: Schema.Array(Member), added_count: Schema.Int }),
      error: [...ofOne, BadRequest, PayloadTooLarge]
    }).annotate(OpenApi.Summary, "Adds members; those who are there already are left out"),
    HttpApiEndpoint.post("removeMembers", "/api/v1/workspaces/:id/members/remove", {
      params: id,
      payload: Users,
      success: Schema.Struct({ removed_count: Schema.Int }),
      error: [...ofOne, BadRequest, PayloadTooLarge]
    }).annotate(OpenApi.Summary, "Removes members"),
    HttpApiEndpoint.get("budgets", "/api/v1/workspaces/:workspace_ref/budgets", {
      params: { workspace_ref: Schema.String },
      success: Schema.Struct({
        data: Schema.Array(Budget),
        include_byok_in_budgets: Schema.Boolean
      }),
      error: ofOne
    }).annotate(OpenApi.Summary, "Budgets of a workspace"),
    HttpApiEndpoint.get("budget", "/api/v1/workspaces/:workspace_ref/budgets/:interval", {
      params: ofBudget,
      success: BudgetAnswer,
      error: [...ofOne, BadRequest]
    }).annotate(OpenApi.Summary, "The budget of an interval"),
    HttpApiEndpoint.put("putBudget", "/api/v1/workspaces/:workspace_ref/budgets/:interval", {
      params: ofBudget,
      payload: BudgetConfig,
      success: BudgetAnswer,
      error: [...ofOne, BadRequest, PayloadTooLarge]
    }).annotate(OpenApi.Summary, "Sets the budget of an interval"),
    HttpApiEndpoint.delete("deleteBudget", "/api/v1/workspaces/:workspace_ref/budgets/:interval", {
      params: ofBudget,
      success: Deleted,
      error: [...ofOne, BadRequest]
    }).annotate(OpenApi.Summary, "Removes the budget of an interval")
  )
  .middleware(Authentication)
  .annotate(OpenApi.Title, "Workspaces") {}
