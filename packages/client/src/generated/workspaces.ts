/** Workspaces: the operations of the group `workspaces`. `npm run docs` writes this file from the contract. */
import type { CallOptions, Connection } from "../Connection.ts"
import type { Paged } from "../Paged.ts"

export interface Workspace {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly description: string
  readonly default_image_model: string
  readonly default_text_model: string
  readonly default_provider_sort: string
  readonly io_logging_api_key_ids: ReadonlyArray<number> | null
  readonly io_logging_sampling_rate: number
  readonly is_data_discount_logging_enabled: boolean
  readonly keep_content: boolean
  readonly is_observability_broadcast_enabled: boolean
  readonly is_observability_io_logging_enabled: boolean
  readonly created_by: string
  readonly default_guardrail_id: string
  readonly created_at: string
  readonly updated_at: string
  readonly include_byok_in_budgets: boolean
  readonly disabled_server_tools?: ReadonlyArray<string> | null
}

export interface WorkspaceMember {
  readonly id: string
  readonly workspace_id: string
  readonly user_id: string
  readonly role: "admin" | "member"
  readonly created_at: string
}

export interface WorkspaceBudget {
  readonly id: string
  readonly workspace_id: string
  readonly limit_usd: number
  readonly reset_interval: "daily" | "weekly" | "monthly" | null
  readonly soft?: boolean
  readonly created_at: string
  readonly updated_at: string
}

export interface WorkspacesListInput {
  /** Number of items to skip. */
  readonly offset?: number
  /** Number of items to return. */
  readonly limit?: number
}

export interface WorkspacesListPage {
  readonly data: ReadonlyArray<Workspace>
  readonly total_count: number
}

export interface WorkspacesCreateInput {
  readonly name: string
  readonly slug: string
  readonly description?: string | null
  readonly default_image_model?: string | null
  readonly default_text_model?: string | null
  readonly default_provider_sort?: "price" | "throughput" | "latency" | "exacto" | null | ""
  readonly io_logging_api_key_ids?: ReadonlyArray<number> | null
  readonly io_logging_sampling_rate?: number
  readonly is_data_discount_logging_enabled?: boolean
  readonly keep_content?: boolean
  readonly is_observability_broadcast_enabled?: boolean
  readonly is_observability_io_logging_enabled?: boolean
  readonly disabled_server_tools?: ReadonlyArray<string> | null
}

export interface WorkspacesCreateOutput {
  readonly data: Workspace
}

export interface WorkspacesGetInput {
  readonly id: string
}

export interface WorkspacesGetOutput {
  readonly data: Workspace
}

export interface WorkspacesUpdateInput {
  readonly id: string
  readonly name?: string
  readonly slug?: string
  readonly description?: string | null
  readonly default_image_model?: string | null
  readonly default_text_model?: string | null
  readonly default_provider_sort?: "price" | "throughput" | "latency" | "exacto" | null | ""
  readonly io_logging_api_key_ids?: ReadonlyArray<number> | null
  readonly io_logging_sampling_rate?: number
  readonly is_data_discount_logging_enabled?: boolean
  readonly keep_content?: boolean
  readonly is_observability_broadcast_enabled?: boolean
  readonly is_observability_io_logging_enabled?: boolean
  readonly disabled_server_tools?: ReadonlyArray<string> | null
}

export interface WorkspacesUpdateOutput {
  readonly data: Workspace
}

export interface WorkspacesDeleteInput {
  readonly id: string
  /** Must be true to delete the default workspace. Default: false. */
  readonly confirm_default_workspace_deletion?: boolean
}

export interface WorkspacesDeleteOutput {
  readonly deleted: true
}

export interface WorkspacesListMembersInput {
  readonly id: string
  /** Number of items to skip. */
  readonly offset?: number
  /** Number of items to return. */
  readonly limit?: number
}

export interface WorkspacesListMembersPage {
  readonly data: ReadonlyArray<WorkspaceMember>
  readonly total_count: number
}

export interface WorkspacesAddMembersInput {
  readonly id: string
  readonly user_ids: ReadonlyArray<string>
}

export interface WorkspacesAddMembersOutput {
  readonly data: ReadonlyArray<WorkspaceMember>
  readonly added_count: number
}

export interface WorkspacesRemoveMembersInput {
  readonly id: string
  readonly user_ids: ReadonlyArray<string>
}

export interface WorkspacesRemoveMembersOutput {
  readonly removed_count: number
}

export interface WorkspacesListBudgetsInput {
  readonly workspace_ref: string
}

export interface WorkspacesListBudgetsOutput {
  readonly data: ReadonlyArray<WorkspaceBudget>
  readonly include_byok_in_budgets: boolean
}

export interface WorkspacesGetBudgetInput {
  readonly workspace_ref: string
  readonly interval: "daily" | "weekly" | "monthly" | "lifetime"
}

export interface WorkspacesGetBudgetOutput {
  readonly data: WorkspaceBudget
  readonly include_byok_in_budgets: boolean
}

export interface WorkspacesSetBudgetInput {
  readonly workspace_ref: string
  readonly interval: "daily" | "weekly" | "monthly" | "lifetime"
  readonly limit_usd: number
  readonly soft?: boolean
  readonly include_byok_in_budgets?: boolean
}

export interface WorkspacesSetBudgetOutput {
  readonly data: WorkspaceBudget
  readonly include_byok_in_budgets: boolean
}

export interface WorkspacesDeleteBudgetInput {
  readonly workspace_ref: string
  readonly interval: "daily" | "weekly" | "monthly" | "lifetime"
}

export interface WorkspacesDeleteBudgetOutput {
  readonly deleted: true
}

/** Workspaces. */
export const workspaces = (connection: Connection) => ({
  /** List the workspaces of the account. */
  list: (
    input?: WorkspacesListInput,
    options?: CallOptions
  ): Paged<WorkspacesListPage, Workspace> =>
    connection.list<Workspace, WorkspacesListPage>("GET /api/v1/workspaces", input, options),
  /** Create a workspace. */
  create: (input: WorkspacesCreateInput, options?: CallOptions): Promise<WorkspacesCreateOutput> =>
    connection.call("POST /api/v1/workspaces", input, options),
  /** Get a workspace by id or slug. */
  get: (input: WorkspacesGetInput, options?: CallOptions): Promise<WorkspacesGetOutput> =>
    connection.call("GET /api/v1/workspaces/:id", input, options),
  /** Update a workspace. Omitted fields keep their values. */
  update: (input: WorkspacesUpdateInput, options?: CallOptions): Promise<WorkspacesUpdateOutput> =>
    connection.call("PATCH /api/v1/workspaces/:id", input, options),
  /** Delete a workspace with its members and budgets. */
  delete: (input: WorkspacesDeleteInput, options?: CallOptions): Promise<WorkspacesDeleteOutput> =>
    connection.call(
      "DELETE /api/v1/workspaces/:id?confirm_default_workspace_deletion",
      input,
      options
    ),
  /** List the members of a workspace. */
  listMembers: (
    input: WorkspacesListMembersInput,
    options?: CallOptions
  ): Paged<WorkspacesListMembersPage, WorkspaceMember> =>
    connection.list<WorkspaceMember, WorkspacesListMembersPage>(
      "GET /api/v1/workspaces/:id/members",
      input,
      options
    ),
  /** Add members to a workspace. Existing members are skipped. */
  addMembers: (
    input: WorkspacesAddMembersInput,
    options?: CallOptions
  ): Promise<WorkspacesAddMembersOutput> =>
    connection.call("POST /api/v1/workspaces/:id/members/add", input, options),
  /** Remove members from a workspace. */
  removeMembers: (
    input: WorkspacesRemoveMembersInput,
    options?: CallOptions
  ): Promise<WorkspacesRemoveMembersOutput> =>
    connection.call("POST /api/v1/workspaces/:id/members/remove", input, options),
  /** List the budgets of a workspace. */
  listBudgets: (
    input: WorkspacesListBudgetsInput,
    options?: CallOptions
  ): Promise<WorkspacesListBudgetsOutput> =>
    connection.call("GET /api/v1/workspaces/:workspace_ref/budgets", input, options),
  /** Get the budget of an interval. */
  getBudget: (
    input: WorkspacesGetBudgetInput,
    options?: CallOptions
  ): Promise<WorkspacesGetBudgetOutput> =>
    connection.call("GET /api/v1/workspaces/:workspace_ref/budgets/:interval", input, options),
  /** Set the budget of an interval. */
  setBudget: (
    input: WorkspacesSetBudgetInput,
    options?: CallOptions
  ): Promise<WorkspacesSetBudgetOutput> =>
    connection.call("PUT /api/v1/workspaces/:workspace_ref/budgets/:interval", input, options),
  /** Delete the budget of an interval. */
  deleteBudget: (
    input: WorkspacesDeleteBudgetInput,
    options?: CallOptions
  ): Promise<WorkspacesDeleteBudgetOutput> =>
    connection.call("DELETE /api/v1/workspaces/:workspace_ref/budgets/:interval", input, options)
})
