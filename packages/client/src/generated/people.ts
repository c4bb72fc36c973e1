/** People: the operations of the group `people`. `npm run docs` writes this file from the contract. */
import type { CallOptions, Connection } from "../Connection.ts"
import type { Audit } from "./audit.ts"
import type { FailedRequest } from "./failedRequests.ts"
import type { GenerationFeedback, RecordGeneration } from "./generations.ts"

export interface People {
  readonly exported_at: string
  readonly user: string | null
  readonly external_user: string | null
  readonly keys: ReadonlyArray<{
    readonly hash: string
    readonly name: string
    readonly label: string
    readonly workspace_id: string
    readonly disabled: boolean
    readonly created_at: string
  }>
  readonly memberships: ReadonlyArray<{
    readonly workspace_id: string
    readonly role: string
    readonly created_at: string
  }>
  readonly spend: {
    readonly usage: number
    readonly byok_usage: number
  }
  readonly changes: ReadonlyArray<Audit>
  readonly failed_requests: ReadonlyArray<FailedRequest>
  readonly feedback: ReadonlyArray<GenerationFeedback>
  readonly videos: ReadonlyArray<{
    readonly id: string
    readonly created_at: string
    readonly status: string
    readonly model: string
    readonly prompt: string | null
  }>
  readonly records: ReadonlyArray<RecordGeneration>
  readonly contents: ReadonlyArray<{
    readonly generation_id: string
    readonly input:
      | {
          readonly messages: ReadonlyArray<unknown>
        }
      | {
          readonly prompt: string
        }
    readonly output: {
      readonly completion: string | null
      readonly reasoning: string | null
      readonly is_truncated?: true
    }
    readonly error: {
      readonly message: string | null
      readonly previous_errors: ReadonlyArray<{
        readonly code: number
        readonly message: string
        readonly provider_name: string | null
        readonly raw: string | null
      }>
      readonly provider_name: string | null
      readonly raw: string | null
      readonly status: number | null
    } | null
  }>
  readonly next_cursor: string | null
}

export interface PeopleErase {
  readonly pseudonym: string | null
  readonly keys_revoked: number
  readonly memberships_removed: number
  readonly rows_changed: number
}

export interface PeopleExportInput {
  readonly user?: string
  readonly external_user?: string
  readonly limit?: number
  readonly starting_after?: string
}

export interface PeopleExportOutput {
  readonly data: People
}

export interface PeopleEraseInput {
  readonly user?: string
  readonly external_user?: string
}

export interface PeopleEraseOutput {
  readonly data: PeopleErase
}

/** People. */
export const people = (connection: Connection) => ({
  /** Export what is kept of a user or an external user, with their records page by page. */
  export: (input?: PeopleExportInput, options?: CallOptions): Promise<PeopleExportOutput> =>
    connection.call("POST /api/v1/signalbox/people/export", input, options),
  /** Erase a user or an external user: revoke their keys, and give their records a random name. */
  erase: (input?: PeopleEraseInput, options?: CallOptions): Promise<PeopleEraseOutput> =>
    connection.call("POST /api/v1/signalbox/people/erase", input, options)
})
