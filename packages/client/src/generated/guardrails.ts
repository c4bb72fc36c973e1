/** Guardrails: the operations of the group `guardrails`. `npm run docs` writes this file from the contract. */
import type { CallOptions, Connection } from "../Connection.ts"
import type { Paged } from "../Paged.ts"

export interface Guardrail {
  readonly id: string
  readonly name: string
  readonly workspace_id: string
  readonly allowed_models: ReadonlyArray<string> | null
  readonly allowed_providers: ReadonlyArray<string> | null
  readonly ignored_models: ReadonlyArray<string> | null
  readonly ignored_providers: ReadonlyArray<string> | null
  readonly include_byok_in_budgets: boolean
  readonly soft_limit?: boolean
  readonly content_filter_builtins?: ReadonlyArray<GuardrailContentFilterBuiltin> | null
  readonly content_filter_checks?: ReadonlyArray<GuardrailContentFilterCheck> | null
  readonly content_filters?: ReadonlyArray<GuardrailContentFilter> | null
  readonly enforce_no_store?: boolean
  readonly created_at: string
  readonly updated_at: string
  readonly description?: string | null
  readonly allowed_data_regions?: ReadonlyArray<"global" | "europe" | "us"> | null
  readonly enforce_zdr?: boolean | null
  readonly enforce_zdr_anthropic?: boolean | null
  readonly enforce_zdr_google?: boolean | null
  readonly enforce_zdr_openai?: boolean | null
  readonly enforce_zdr_xai?: boolean | null
  readonly enforce_zdr_other?: boolean | null
  readonly enable_free_model_publication?: boolean | null
  readonly enable_free_model_training?: boolean | null
  readonly enable_paid_model_training?: boolean | null
  readonly limit_usd?: number | null
  readonly reset_interval?: "daily" | "weekly" | "monthly" | null
  readonly keep_content?: boolean | null
}

export interface GuardrailContentFilterBuiltin {
  readonly slug:
    | "email"
    | "phone"
    | "ssn"
    | "credit-card"
    | "ip-address"
    | "secrets"
    | "iban"
    | "national-id"
    | "regex-prompt-injection"
    | "person-name"
    | "address"
  readonly action: "redact" | "block" | "flag"
  readonly label?: string
  readonly scan_scope?: "user_only" | "all_messages"
  readonly scope?: "prompts" | "answers" | "both"
  readonly restore?: boolean
}

export interface GuardrailContentFilterCheck {
  readonly check: string
  readonly action: "redact" | "block" | "flag"
  readonly label?: string | null
  readonly scope?: "prompts" | "answers" | "both"
  readonly restore?: boolean
}

export interface GuardrailContentFilter {
  readonly pattern: string
  readonly action: "redact" | "block" | "flag"
  readonly label?: string | null
  readonly scope?: "prompts" | "answers" | "both"
  readonly restore?: boolean
}

export interface GuardrailAllKeyAssignment {
  readonly id: string
  readonly guardrail_id: string
  readonly assigned_by: string | null
  readonly created_at: string
  readonly key_hash: string
  readonly key_name: string
  readonly key_label: string
}

export interface GuardrailAllMemberAssignment {
  readonly id: string
  readonly guardrail_id: string
  readonly assigned_by: string | null
  readonly created_at: string
  readonly user_id: string
  readonly organization_id: string
}

export interface GuardrailsListInput {
  /** Number of items to skip. */
  readonly offset?: number
  /** Number of items to return. */
  readonly limit?: number
  /** Id or slug of a workspace. Default: the account's default workspace. */
  readonly workspace_id?: string
}

export interface GuardrailsListPage {
  readonly data: ReadonlyArray<Guardrail>
  readonly total_count: number
}

export interface GuardrailsCreateInput {
  readonly name: string
  readonly description?: string | null
  readonly allowed_models?: ReadonlyArray<string> | null
  readonly allowed_providers?: ReadonlyArray<string> | null
  readonly ignored_models?: ReadonlyArray<string> | null
  readonly ignored_providers?: ReadonlyArray<string> | null
  readonly allowed_data_regions?: ReadonlyArray<"global" | "europe" | "us"> | null
  readonly enforce_zdr?: boolean | null
  readonly enforce_zdr_anthropic?: boolean | null
  readonly enforce_zdr_google?: boolean | null
  readonly enforce_zdr_openai?: boolean | null
  readonly enforce_zdr_xai?: boolean | null
  readonly enforce_zdr_other?: boolean | null
  readonly enable_free_model_publication?: boolean | null
  readonly enable_free_model_training?: boolean | null
  readonly enable_paid_model_training?: boolean | null
  readonly limit_usd?: number | null
  readonly reset_interval?: "daily" | "weekly" | "monthly" | null
  readonly include_byok_in_budgets?: boolean
  readonly content_filters?: ReadonlyArray<GuardrailContentFilter> | null
  readonly content_filter_builtins?: ReadonlyArray<GuardrailContentFilterBuiltin> | null
  readonly content_filter_checks?: ReadonlyArray<GuardrailContentFilterCheck> | null
  readonly soft_limit?: boolean
  readonly keep_content?: boolean | null
  readonly enforce_no_store?: boolean
  readonly workspace_id?: string
}

export interface GuardrailsCreateOutput {
  readonly data: Guardrail
}

export interface GuardrailsListAllKeyAssignmentsInput {
  /** Number of items to skip. */
  readonly offset?: number
  /** Number of items to return. */
  readonly limit?: number
}

export interface GuardrailsListAllKeyAssignmentsPage {
  readonly data: ReadonlyArray<GuardrailAllKeyAssignment>
  readonly total_count: number
}

export interface GuardrailsListAllMemberAssignmentsInput {
  /** Number of items to skip. */
  readonly offset?: number
  /** Number of items to return. */
  readonly limit?: number
}

export interface GuardrailsListAllMemberAssignmentsPage {
  readonly data: ReadonlyArray<GuardrailAllMemberAssignment>
  readonly total_count: number
}

export interface GuardrailsGetInput {
  readonly id: string
}

export interface GuardrailsGetOutput {
  readonly data: Guardrail
}

export interface GuardrailsUpdateInput {
  readonly id: string
  readonly name?: string
  readonly description?: string | null
  readonly allowed_models?: ReadonlyArray<string> | null
  readonly allowed_providers?: ReadonlyArray<string> | null
  readonly ignored_models?: ReadonlyArray<string> | null
  readonly ignored_providers?: ReadonlyArray<string> | null
  readonly allowed_data_regions?: ReadonlyArray<"global" | "europe" | "us"> | null
  readonly enforce_zdr?: boolean | null
  readonly enforce_zdr_anthropic?: boolean | null
  readonly enforce_zdr_google?: boolean | null
  readonly enforce_zdr_openai?: boolean | null
  readonly enforce_zdr_xai?: boolean | null
  readonly enforce_zdr_other?: boolean | null
  readonly enable_free_model_publication?: boolean | null
  readonly enable_free_model_training?: boolean | null
  readonly enable_paid_model_training?: boolean | null
  readonly limit_usd?: number | null
  readonly reset_interval?: "daily" | "weekly" | "monthly" | null
  readonly include_byok_in_budgets?: boolean
  readonly content_filters?: ReadonlyArray<GuardrailContentFilter> | null
  readonly content_filter_builtins?: ReadonlyArray<GuardrailContentFilterBuiltin> | null
  readonly content_filter_checks?: ReadonlyArray<GuardrailContentFilterCheck> | null
  readonly soft_limit?: boolean
  readonly keep_content?: boolean | null
  readonly enforce_no_store?: boolean
}

export interface GuardrailsUpdateOutput {
  readonly data: Guardrail
}

export interface GuardrailsDeleteInput {
  readonly id: string
}

export interface GuardrailsDeleteOutput {
  readonly deleted: true
}

export interface GuardrailsListKeyAssignmentsInput {
  readonly id: string
  /** Number of items to skip. */
  readonly offset?: number
  /** Number of items to return. */
  readonly limit?: number
}

export interface GuardrailsListKeyAssignmentsPage {
  readonly data: ReadonlyArray<GuardrailAllKeyAssignment>
  readonly total_count: number
}

export interface GuardrailsAssignKeysInput {
  readonly id: string
  readonly key_hashes: ReadonlyArray<string>
}

export interface GuardrailsAssignKeysOutput {
  readonly assigned_count: number
}

export interface GuardrailsUnassignKeysInput {
  readonly id: string
  readonly key_hashes: ReadonlyArray<string>
}

export interface GuardrailsUnassignKeysOutput {
  readonly unassigned_count: number
}

export interface GuardrailsListMemberAssignmentsInput {
  readonly id: string
  /** Number of items to skip. */
  readonly offset?: number
  /** Number of items to return. */
  readonly limit?: number
}

export interface GuardrailsListMemberAssignmentsPage {
  readonly data: ReadonlyArray<GuardrailAllMemberAssignment>
  readonly total_count: number
}

export interface GuardrailsAssignMembersInput {
  readonly id: string
  readonly member_user_ids: ReadonlyArray<string>
}

export interface GuardrailsAssignMembersOutput {
  readonly assigned_count: number
}

export interface GuardrailsUnassignMembersInput {
  readonly id: string
  readonly member_user_ids: ReadonlyArray<string>
}

export interface GuardrailsUnassignMembersOutput {
  readonly unassigned_count: number
}

/** Guardrails. */
export const guardrails = (connection: Connection) => ({
  /** List the guardrails of a workspace. */
  list: (
    input?: GuardrailsListInput,
    options?: CallOptions
  ): Paged<GuardrailsListPage, Guardrail> =>
    connection.list<Guardrail, GuardrailsListPage>("GET /api/v1/guardrails", input, options),
  /** Create a guardrail. It has no effect until it is assigned. */
  create: (input: GuardrailsCreateInput, options?: CallOptions): Promise<GuardrailsCreateOutput> =>
    connection.call("POST /api/v1/guardrails", input, options),
  /** List all guardrail assignments to keys. */
  listAllKeyAssignments: (
    input?: GuardrailsListAllKeyAssignmentsInput,
    options?: CallOptions
  ): Paged<GuardrailsListAllKeyAssignmentsPage, GuardrailAllKeyAssignment> =>
    connection.list<GuardrailAllKeyAssignment, GuardrailsListAllKeyAssignmentsPage>(
      "GET /api/v1/guardrails/assignments/keys",
      input,
      options
    ),
  /** List all guardrail assignments to members. */
  listAllMemberAssignments: (
    input?: GuardrailsListAllMemberAssignmentsInput,
    options?: CallOptions
  ): Paged<GuardrailsListAllMemberAssignmentsPage, GuardrailAllMemberAssignment> =>
    connection.list<GuardrailAllMemberAssignment, GuardrailsListAllMemberAssignmentsPage>(
      "GET /api/v1/guardrails/assignments/members",
      input,
      options
    ),
  /** Get a guardrail by id. */
  get: (input: GuardrailsGetInput, options?: CallOptions): Promise<GuardrailsGetOutput> =>
    connection.call("GET /api/v1/guardrails/:id", input, options),
  /** Update a guardrail, or create the default guardrail of a workspace. Omitted fields keep their values. */
  update: (input: GuardrailsUpdateInput, options?: CallOptions): Promise<GuardrailsUpdateOutput> =>
    connection.call("PATCH /api/v1/guardrails/:id", input, options),
  /** Delete a guardrail and its assignments. */
  delete: (input: GuardrailsDeleteInput, options?: CallOptions): Promise<GuardrailsDeleteOutput> =>
    connection.call("DELETE /api/v1/guardrails/:id", input, options),
  /** List the keys that a guardrail is assigned to. */
  listKeyAssignments: (
    input: GuardrailsListKeyAssignmentsInput,
    options?: CallOptions
  ): Paged<GuardrailsListKeyAssignmentsPage, GuardrailAllKeyAssignment> =>
    connection.list<GuardrailAllKeyAssignment, GuardrailsListKeyAssignmentsPage>(
      "GET /api/v1/guardrails/:id/assignments/keys",
      input,
      options
    ),
  /** Assign a guardrail to keys. It replaces their previous guardrail. */
  assignKeys: (
    input: GuardrailsAssignKeysInput,
    options?: CallOptions
  ): Promise<GuardrailsAssignKeysOutput> =>
    connection.call("POST /api/v1/guardrails/:id/assignments/keys", input, options),
  /** Remove a guardrail from keys. */
  unassignKeys: (
    input: GuardrailsUnassignKeysInput,
    options?: CallOptions
  ): Promise<GuardrailsUnassignKeysOutput> =>
    connection.call("POST /api/v1/guardrails/:id/assignments/keys/remove", input, options),
  /** List the members that a guardrail is assigned to. */
  listMemberAssignments: (
    input: GuardrailsListMemberAssignmentsInput,
    options?: CallOptions
  ): Paged<GuardrailsListMemberAssignmentsPage, GuardrailAllMemberAssignment> =>
    connection.list<GuardrailAllMemberAssignment, GuardrailsListMemberAssignmentsPage>(
      "GET /api/v1/guardrails/:id/assignments/members",
      input,
      options
    ),
  /** Assign a guardrail to members. It replaces their previous guardrail. */
  assignMembers: (
    input: GuardrailsAssignMembersInput,
    options?: CallOptions
  ): Promise<GuardrailsAssignMembersOutput> =>
    connection.call("POST /api/v1/guardrails/:id/assignments/members", input, options),
  /** Remove a guardrail from members. */
  unassignMembers: (
    input: GuardrailsUnassignMembersInput,
    options?: CallOptions
  ): Promise<GuardrailsUnassignMembersOutput> =>
    connection.call("POST /api/v1/guardrails/:id/assignments/members/remove", input, options)
})
