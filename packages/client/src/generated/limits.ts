/** Limits: the operations of the group `limits`. `npm run docs` writes this file from the contract. */
import type { CallOptions, Connection } from "../Connection.ts"
import type { Paged } from "../Paged.ts"
import type { BudgetScope } from "./budgets.ts"

export interface Limit {
  readonly kind: "credits" | "key" | "workspace" | "guardrail" | "budget" | "experiment"
  readonly name: string | null
  readonly workspace_id: string | null
  readonly guardrail_id: string | null
  readonly budget_id: string | null
  readonly scope: BudgetScope | null
  readonly soft: boolean
  readonly key_hash: string | null
  readonly key_name: string | null
  readonly user_id: string | null
  readonly interval: "daily" | "weekly" | "monthly" | "lifetime"
  readonly began_at: string | null
  readonly resets_at: string | null
  readonly include_byok: boolean
  readonly limit: number
  readonly settled: number
  readonly reserved: number
  readonly remaining: number
}

export interface PeriodsLimit {
  readonly time_zone: string
  readonly daily: {
    readonly began_at: string
    readonly ends_at: string
  }
  readonly weekly: {
    readonly began_at: string
    readonly ends_at: string
  }
  readonly monthly: {
    readonly began_at: string
    readonly ends_at: string
  }
}

export interface LimitsListInput {
  /** The `next_cursor` of the previous page. */
  readonly starting_after?: string
  /** Number of items to return. */
  readonly limit?: number
  /** `workspace`: the credits, the budgets of workspaces and of what they spend on, and what the application itself may spend. `key`: the limits and guardrails of keys. `member`: guardrails assigned to members. Default: `workspace`. */
  readonly holder?: "workspace" | "key" | "member"
}

export interface LimitsListPage {
  readonly data: ReadonlyArray<Limit>
  readonly has_more: boolean
  readonly next_cursor?: string
}

export interface LimitsGetPeriodsOutput {
  readonly data: PeriodsLimit
}

/** Limits. */
export const limits = (connection: Connection) => ({
  /** List spend limits with what is settled and reserved under each, the holders oldest first. `limit` counts holders, so a page may have more rows or fewer. */
  list: (input?: LimitsListInput, options?: CallOptions): Paged<LimitsListPage, Limit> =>
    connection.list<Limit, LimitsListPage>("GET /api/v1/signalbox/limits", input, options),
  /** Get when the running day, week and month of spend limits began and end. */
  getPeriods: (options?: CallOptions): Promise<LimitsGetPeriodsOutput> =>
    connection.call("GET /api/v1/signalbox/limits/periods", undefined, options)
})
