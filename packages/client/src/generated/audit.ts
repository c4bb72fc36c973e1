/** Audit log: the operations of the group `audit`. `npm run docs` writes this file from the contract. */
import type { CallOptions, Connection } from "../Connection.ts"
import type { Paged } from "../Paged.ts"

export interface Audit {
  readonly id: string
  readonly created_at: string
  readonly actor: {
    readonly key_hash: string | null
    readonly user_id: string | null
  }
  readonly action: string
  readonly target: string
  readonly before: unknown
  readonly after: unknown
}

export interface AuditListInput {
  /** The `next_cursor` of the previous page. */
  readonly starting_after?: string
  /** Number of items to return. */
  readonly limit?: number
}

export interface AuditListPage {
  readonly data: ReadonlyArray<Audit>
  readonly has_more: boolean
  readonly next_cursor?: string
}

/** Audit log. */
export const audit = (connection: Connection) => ({
  /** List audit log entries of the account, newest first. */
  list: (input?: AuditListInput, options?: CallOptions): Paged<AuditListPage, Audit> =>
    connection.list<Audit, AuditListPage>("GET /api/v1/signalbox/audit", input, options)
})
