/** Alert rules: the operations of the group `alertRules`. `npm run docs` writes this file from the contract. */
import type { CallOptions, Connection } from "../Connection.ts"
import type { Paged } from "../Paged.ts"

export interface AlertRule {
  readonly id: string
  readonly workspace_id: string
  readonly name: string
  readonly limits: ReadonlyArray<
    "credits" | "key" | "workspace" | "guardrail" | "budget" | "experiment"
  > | null
  readonly thresholds: ReadonlyArray<
    | {
        readonly percent: number
      }
    | {
        readonly spent: number
      }
    | {
        readonly remaining: number
      }
    | {
        readonly forecast: true
      }
    | {
        readonly refused: true
      }
  >
  readonly created_at: string
  readonly updated_at: string
}

export interface AlertRulesListInput {
  /** Number of items to skip. */
  readonly offset?: number
  /** Number of items to return. */
  readonly limit?: number
  /** Id or slug of a workspace. Default: the account's default workspace. */
  readonly workspace_id?: string
}

export interface AlertRulesListPage {
  readonly data: ReadonlyArray<AlertRule>
  readonly total_count: number
}

export interface AlertRulesCreateInput {
  readonly name: string
  readonly thresholds: ReadonlyArray<
    | {
        readonly percent: number
      }
    | {
        readonly spent: number
      }
    | {
        readonly remaining: number
      }
    | {
        readonly forecast: true
      }
    | {
        readonly refused: true
      }
  >
  readonly limits?: ReadonlyArray<
    "credits" | "key" | "workspace" | "guardrail" | "budget" | "experiment"
  > | null
  readonly workspace_id?: string
}

export interface AlertRulesCreateOutput {
  readonly data: AlertRule
}

export interface AlertRulesGetInput {
  readonly id: string
}

export interface AlertRulesGetOutput {
  readonly data: AlertRule
}

export interface AlertRulesUpdateInput {
  readonly id: string
  readonly name?: string
  readonly limits?: ReadonlyArray<
    "credits" | "key" | "workspace" | "guardrail" | "budget" | "experiment"
  > | null
  readonly thresholds?: ReadonlyArray<
    | {
        readonly percent: number
      }
    | {
        readonly spent: number
      }
    | {
        readonly remaining: number
      }
    | {
        readonly forecast: true
      }
    | {
        readonly refused: true
      }
  >
}

export interface AlertRulesUpdateOutput {
  readonly data: AlertRule
}

export interface AlertRulesDeleteInput {
  readonly id: string
}

export interface AlertRulesDeleteOutput {
  readonly deleted: true
}

/** Alert rules. */
export const alertRules = (connection: Connection) => ({
  /** List the alert rules of a workspace. */
  list: (
    input?: AlertRulesListInput,
    options?: CallOptions
  ): Paged<AlertRulesListPage, AlertRule> =>
    connection.list<AlertRule, AlertRulesListPage>(
      "GET /api/v1/signalbox/alert-rules",
      input,
      options
    ),
  /** Create an alert rule, which tells the webhook of its workspace when a limit of that workspace crosses a threshold. */
  create: (input: AlertRulesCreateInput, options?: CallOptions): Promise<AlertRulesCreateOutput> =>
    connection.call("POST /api/v1/signalbox/alert-rules", input, options),
  /** Get an alert rule by id. */
  get: (input: AlertRulesGetInput, options?: CallOptions): Promise<AlertRulesGetOutput> =>
    connection.call("GET /api/v1/signalbox/alert-rules/:id", input, options),
  /** Update an alert rule. Omitted fields keep their values. */
  update: (input: AlertRulesUpdateInput, options?: CallOptions): Promise<AlertRulesUpdateOutput> =>
    connection.call("PATCH /api/v1/signalbox/alert-rules/:id", input, options),
  /** Delete an alert rule. */
  delete: (input: AlertRulesDeleteInput, options?: CallOptions): Promise<AlertRulesDeleteOutput> =>
    connection.call("DELETE /api/v1/signalbox/alert-rules/:id", input, options)
})
