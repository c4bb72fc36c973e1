/** Operations on workspaces, their members and their budgets. */
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { NewUserId, UserId } from "../../values/ids/Ids.ts"
import { Budget, BudgetConfig, intervals } from "../../tenants/workspaces/Budget.ts"
import { Member, Workspace } from "../../tenants/workspaces/Workspace.ts"
import { NewWorkspace, WorkspacePatch } from "../../tenants/workspaces/WorkspaceFields.ts"
import type { EffectiveWorkspace } from "../../tenants/workspaces/WorkspaceDefaults.ts"
import { isMaxCharacters } from "../../values/validation/text.ts"
import {
  Authentication,
  BadRequest,
  PayloadTooLarge,
  resourceErrors
} from "../contract/ErrorEnvelope.ts"
import { DeletedResponse, dataEnvelope, pageEnvelope } from "../contract/envelopes.ts"
import { BodyRules, RequiredCaller } from "../contract/operationAnnotations.ts"
import { pageQuery } from "../contract/pageQueries.ts"
import { resourceEndpoints, summarize } from "../contract/resourceEndpoints.ts"
import { booleanParameter, requiredLiteralParameter } from "../contract/queryParameters.ts"

/** Accepted for compatibility and ignored: Signalbox runs no server tools. */
const serverToolFields = {
  disabled_server_tools: Schema.optionalKey(
    Schema.NullOr(
      Schema.Array(Schema.String.check(isMaxCharacters(200))).check(Schema.isMaxLength(1_000))
    )
  )
}

/** Stored for clients at most: there are no server tools, no images and no discount. */
const withoutEffect = [
  "default_image_model",
  "disabled_server_tools",
  "is_data_discount_logging_enabled"
]

export const CreateWorkspaceRequest = Schema.Struct({ ...NewWorkspace.fields, ...serverToolFields })
export const UpdateWorkspaceRequest = Schema.Struct({
  ...WorkspacePatch.fields,
  ...serverToolFields
})

/** Unset text fields are empty strings, because OpenRouter's clients accept no null there. */
const WorkspaceResponse = Schema.Struct({
  ...Struct.omit(Workspace.fields, ["customer"]),
  ...serverToolFields,
  description: Schema.String,
  io_logging_sampling_rate: Schema.Finite,
  keep_content: Schema.Boolean,
  is_observability_broadcast_enabled: Schema.Boolean,
  is_observability_io_logging_enabled: Schema.Boolean,
  default_text_model: Schema.String,
  default_image_model: Schema.String,
  default_provider_sort: Schema.String
})

export const toWorkspaceResponse = (
  workspace: EffectiveWorkspace
): typeof WorkspaceResponse.Type => ({
  ...Struct.omit(workspace, ["customer"]),
  description: workspace.description ?? "",
  default_text_model: workspace.default_text_model ?? "",
  default_image_model: workspace.default_image_model ?? "",
  default_provider_sort: workspace.default_provider_sort ?? ""
})

const NewMembersRequest = Schema.Struct({
  user_ids: Schema.Array(NewUserId).check(Schema.isMaxLength(1_000))
})
const UserIdsRequest = Schema.Struct({
  user_ids: Schema.Array(UserId).check(Schema.isMaxLength(1_000))
})

const idParams = { id: Schema.String }
const budgetParams = { workspace_ref: Schema.String, interval: requiredLiteralParameter(intervals) }
const BudgetResponse = Schema.Struct({ data: Budget, include_byok_in_budgets: Schema.Boolean })

const summaries = {
  ...summarize("a workspace", "workspaces"),
  list: "List the workspaces of the account.",
  get: "Get a workspace by id or slug.",
  remove: "Delete a workspace with its members and budgets."
}

const { create, get, list, update } = resourceEndpoints({
  path: "/api/v1/workspaces",
  id: "id",
  item: WorkspaceResponse,
  query: pageQuery,
  create: CreateWorkspaceRequest,
  created: dataEnvelope(WorkspaceResponse),
  update: UpdateWorkspaceRequest,
  summaries
})

export class WorkspacesApi extends HttpApiGroup.make("workspaces")
  .add(
    list,
    create.annotate(BodyRules, { withoutEffect }),
    get,
    update.annotate(BodyRules, { withoutEffect }),
    HttpApiEndpoint.delete("delete", "/api/v1/workspaces/:id", {
      params: idParams,
      query: {
        confirm_default_workspace_deletion: booleanParameter(
          "Must be true to delete the default workspace. Default: false."
        )
      },
      success: DeletedResponse,
      error: [...resourceErrors, BadRequest]
    }).annotate(OpenApi.Summary, summaries.remove),
    HttpApiEndpoint.get("listMembers", "/api/v1/workspaces/:id/members", {
      params: idParams,
      query: pageQuery,
      success: pageEnvelope(Member),
      error: [...resourceErrors, BadRequest]
    }).annotate(OpenApi.Summary, "List the members of a workspace."),
    HttpApiEndpoint.post("addMembers", "/api/v1/workspaces/:id/members/add", {
      params: idParams,
      payload: NewMembersRequest,
      success: Schema.Struct({ data: Schema.Array(Member), added_count: Schema.Int }),
      error: [...resourceErrors, BadRequest, PayloadTooLarge]
    }).annotate(OpenApi.Summary, "Add members to a workspace. Existing members are skipped."),
    HttpApiEndpoint.post("removeMembers", "/api/v1/workspaces/:id/members/remove", {
      params: idParams,
      payload: UserIdsRequest,
      success: Schema.Struct({ removed_count: Schema.Int }),
      error: [...resourceErrors, BadRequest, PayloadTooLarge]
    }).annotate(OpenApi.Summary, "Remove members from a workspace."),
    HttpApiEndpoint.get("listBudgets", "/api/v1/workspaces/:workspace_ref/budgets", {
      params: { workspace_ref: Schema.String },
      success: Schema.Struct({
        data: Schema.Array(Budget),
        include_byok_in_budgets: Schema.Boolean
      }),
      error: resourceErrors
    }).annotate(OpenApi.Summary, "List the budgets of a workspace."),
    HttpApiEndpoint.get("getBudget", "/api/v1/workspaces/:workspace_ref/budgets/:interval", {
      params: budgetParams,
      success: BudgetResponse,
      error: [...resourceErrors, BadRequest]
    }).annotate(OpenApi.Summary, "Get the budget of an interval."),
    HttpApiEndpoint.put("setBudget", "/api/v1/workspaces/:workspace_ref/budgets/:interval", {
      params: budgetParams,
      payload: BudgetConfig,
      success: BudgetResponse,
      error: [...resourceErrors, BadRequest, PayloadTooLarge]
    }).annotate(OpenApi.Summary, "Set the budget of an interval."),
    HttpApiEndpoint.delete("deleteBudget", "/api/v1/workspaces/:workspace_ref/budgets/:interval", {
      params: budgetParams,
      success: DeletedResponse,
      error: [...resourceErrors, BadRequest]
    }).annotate(OpenApi.Summary, "Delete the budget of an interval.")
  )
  .middleware(Authentication)
  .annotate(RequiredCaller, "management")
  .annotate(OpenApi.Title, "Workspaces") {}
