/** Failed requests: the operations of the group `failedRequests`. `npm run docs` writes this file from the contract. */
import type { CallOptions, Connection } from "../Connection.ts"

export interface FailedRequest {
  readonly request_id: string
  readonly created_at: string
  readonly status: number
  readonly error_type: string | null
  readonly reason: string | null
  readonly message: string
  readonly method: string
  readonly operation: string | null
  readonly path: string | null
  readonly workspace_id: string | null
  readonly key_hash: string | null
  readonly user_id: string | null
  readonly user_agent: string | null
}

export interface FailedRequestsListInput {
  /** The `x-request-id` of a response. */
  readonly request_id?: string
  /** HTTP status of the responses. */
  readonly status?: number
  /** Number of items to return. */
  readonly limit?: number
}

export interface FailedRequestsListOutput {
  readonly data: ReadonlyArray<FailedRequest>
}

/** Failed requests. */
export const failedRequests = (connection: Connection) => ({
  /** List the latest requests of the account that failed before they were routed, without their content. The host's own account also sees those that were not authenticated. */
  list: (
    input?: FailedRequestsListInput,
    options?: CallOptions
  ): Promise<FailedRequestsListOutput> =>
    connection.call("GET /api/v1/signalbox/failed-requests", input, options)
})
