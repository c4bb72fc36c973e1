/** Activity: the operations of the group `activity`. `npm run docs` writes this file from the contract. */
import type { CallOptions, Connection } from "../Connection.ts"

export interface Activity {
  readonly date: string
  readonly endpoint_id: string
  readonly model: string
  readonly model_permaslug: string
  readonly provider_name: string
  readonly requests: number
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly reasoning_tokens: number
  readonly usage: number
  readonly byok_usage_inference: number
}

export interface ActivityListInput {
  /** One of the last 30 days in UTC, such as 2026-11-01. Default: all. */
  readonly date?: string
  /** Not supported: answered with 400. See `GET /signalbox/series`. */
  readonly api_key_hash?: string
  /** Not supported: answered with 400. See `GET /signalbox/series`. */
  readonly user_id?: string
  /** Not supported: answered with 400. See `GET /signalbox/series`. */
  readonly workspace_id?: string
  /** Not supported: answered with 400. See `GET /signalbox/series`. */
  readonly group_by?: string
}

export interface ActivityListOutput {
  readonly data: ReadonlyArray<Activity>
}

/** Activity. */
export const activity = (connection: Connection) => ({
  /** Get what the endpoints answered for the account on each of the last 30 completed days. */
  list: (input?: ActivityListInput, options?: CallOptions): Promise<ActivityListOutput> =>
    connection.call("GET /api/v1/activity", input, options)
})
