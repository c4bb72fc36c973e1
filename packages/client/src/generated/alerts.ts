/** Alerts: the operations of the group `alerts`. `npm run docs` writes this file from the contract. */
import type { CallOptions, Connection } from "../Connection.ts"
import type { Paged } from "../Paged.ts"

export interface Alert {
  readonly id: string
  readonly type:
    | "alert.threshold_crossed"
    | "alert.forecast_exceeded"
    | "alert.limit_refused"
    | "alert.provider_down"
    | "alert.provider_up"
    | "alert.error_rate_exceeded"
    | "alert.error_rate_recovered"
  readonly account: string
  readonly workspace_id: string
  readonly created_at: string
  readonly message: string
  readonly rule_id: string | null
  readonly threshold:
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
    | null
  readonly limit: {
    readonly kind: string
    readonly name: string | null
    readonly guardrail_id: string | null
    readonly key_hash: string | null
    readonly user_id: string | null
    readonly external_user_id: string | null
    readonly interval: string
    readonly resets_at: string | null
    readonly soft: boolean
    readonly limit: number
    readonly settled: number
    readonly remaining: number
    readonly percent: number
    readonly forecast: number | null
    readonly exhausted_at: string | null
  } | null
  readonly health: {
    readonly kind: "provider" | "endpoint" | "model"
    readonly name: string
    readonly requests: number
    readonly errors: number
    readonly cause: string | null
  } | null
}

export interface AlertsListInput {
  /** The `next_cursor` of the previous page. */
  readonly starting_after?: string
  /** Number of items to return. */
  readonly limit?: number
  /** Id or slug of a workspace. Default: all workspaces. */
  readonly workspace_id?: string
}

export interface AlertsListPage {
  readonly data: ReadonlyArray<Alert>
  readonly has_more: boolean
  readonly next_cursor?: string
}

/** Alerts. */
export const alerts = (connection: Connection) => ({
  /** List the alerts of an account, newest first. */
  list: (input?: AlertsListInput, options?: CallOptions): Paged<AlertsListPage, Alert> =>
    connection.list<Alert, AlertsListPage>("GET /api/v1/signalbox/alerts", input, options)
})
