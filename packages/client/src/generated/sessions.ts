/** Sessions: the operations of the group `sessions`. `npm run docs` writes this file from the contract. */
import type { CallOptions, Connection } from "../Connection.ts"
import type { Paged } from "../Paged.ts"

export interface Session {
  readonly id: string
  readonly workspace_id: string
  readonly first_request_at: string
  readonly last_request_at: string
  readonly requests: number
  readonly failed_requests: number
  readonly cost: number
  readonly tokens: number
  readonly models: ReadonlyArray<string>
  readonly model_count: number
  readonly users: ReadonlyArray<string>
  readonly user_count: number
  readonly external_users: ReadonlyArray<string>
  readonly external_user_count: number
}

export interface SessionsListInput {
  /** Only requests that began then or later, at most 7 days before `to`. Default: a day before `to`; with `session_id`, any time. */
  readonly from?: string
  /** Only requests that began before. Default: now. */
  readonly to?: string
  /** The `session_id` of the request. */
  readonly session_id?: string
  /** Id of a workspace. */
  readonly workspace_id?: string
  /** Hash of an API key. */
  readonly key_hash?: string
  /** The acting user, whom the host authenticated or the key belongs to. */
  readonly user?: string
  /** The `user` of the request. */
  readonly external_user?: string
  /** The model that answered, else the requested one. */
  readonly model?: string
  /** The `next_cursor` of the previous page. */
  readonly starting_after?: string
  /** Number of items to return. */
  readonly limit?: number
}

export interface SessionsListPage {
  readonly data: ReadonlyArray<Session>
  readonly has_more: boolean
  readonly next_cursor?: string
}

/** Sessions. */
export const sessions = (connection: Connection) => ({
  /** List the sessions of the account: what the requests with one `session_id` come to, the session with the latest request first. The figures are of the requests that match, and of those within the time alone. A session has at most 10 names of each kind, and their number. `GET /signalbox/generations?session_id=` lists its requests. */
  list: (input?: SessionsListInput, options?: CallOptions): Paged<SessionsListPage, Session> =>
    connection.list<Session, SessionsListPage>("GET /api/v1/signalbox/sessions", input, options)
})
