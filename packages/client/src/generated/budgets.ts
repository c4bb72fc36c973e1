/** Budgets: the operations of the group `budgets`. `npm run docs` writes this file from the contract. */
import type { CallOptions, Connection } from "../Connection.ts"
import type { Paged } from "../Paged.ts"

export interface Budget {
  readonly id: string
  readonly workspace_id: string
  readonly limit_usd: number
  readonly reset_interval: "daily" | "weekly" | "monthly" | null
  readonly created_at: string
  readonly updated_at: string
  readonly name: string
  readonly scope: BudgetScope
  readonly soft: boolean
  readonly include_byok_in_budgets: boolean
}

export interface BudgetScope {
  readonly tag?: Readonly<Record<string, string>>
  readonly model?: string
  readonly provider?: string
  readonly external_user?: string
}

export interface BudgetsListInput {
  /** Number of items to skip. */
  readonly offset?: number
  /** Number of items to return. */
  readonly limit?: number
  /** Id or slug of a workspace. Default: the account's default workspace. */
  readonly workspace_id?: string
}

export interface BudgetsListPage {
  readonly data: ReadonlyArray<Budget>
  readonly total_count: number
}

export interface BudgetsCreateInput {
  readonly scope: BudgetScope
  readonly limit_usd: number
  readonly reset_interval: "daily" | "weekly" | "monthly" | null
  readonly name?: string
  readonly soft?: boolean
  readonly include_byok_in_budgets?: boolean
  readonly workspace_id?: string
}

export interface BudgetsCreateOutput {
  readonly data: Budget
}

export interface BudgetsGetInput {
  readonly id: string
}

export interface BudgetsGetOutput {
  readonly data: Budget
}

export interface BudgetsUpdateInput {
  readonly id: string
  readonly name?: string
  readonly limit_usd?: number
  readonly reset_interval?: "daily" | "weekly" | "monthly" | null
  readonly soft?: boolean
  readonly include_byok_in_budgets?: boolean
}

export interface BudgetsUpdateOutput {
  readonly data: Budget
}

export interface BudgetsDeleteInput {
  readonly id: string
}

export interface BudgetsDeleteOutput {
  readonly deleted: true
}

/** Budgets. */
export const budgets = (connection: Connection) => ({
  /** List the budgets of tags, models, providers and external users of a workspace. */
  list: (input?: BudgetsListInput, options?: CallOptions): Paged<BudgetsListPage, Budget> =>
    connection.list<Budget, BudgetsListPage>("GET /api/v1/signalbox/budgets", input, options),
  /** Limit what a workspace spends on a tag, a model, a provider or an external user. Requests that begin from then on count. */
  create: (input: BudgetsCreateInput, options?: CallOptions): Promise<BudgetsCreateOutput> =>
    connection.call("POST /api/v1/signalbox/budgets", input, options),
  /** Get a budget by id. */
  get: (input: BudgetsGetInput, options?: CallOptions): Promise<BudgetsGetOutput> =>
    connection.call("GET /api/v1/signalbox/budgets/:id", input, options),
  /** Update a budget. Omitted fields keep their values; the scope cannot change. */
  update: (input: BudgetsUpdateInput, options?: CallOptions): Promise<BudgetsUpdateOutput> =>
    connection.call("PATCH /api/v1/signalbox/budgets/:id", input, options),
  /** Delete a budget. */
  delete: (input: BudgetsDeleteInput, options?: CallOptions): Promise<BudgetsDeleteOutput> =>
    connection.call("DELETE /api/v1/signalbox/budgets/:id", input, options)
})
