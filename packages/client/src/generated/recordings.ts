/** Recordings: the operations of the group `recordings`. `npm run docs` writes this file from the contract. */
import type { CallOptions, Connection } from "../Connection.ts"
import type { Paged } from "../Paged.ts"

export interface Recording {
  readonly at: number
  readonly model: string
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly attempts: ReadonlyArray<{
    readonly endpoint: string
    readonly at: number
    readonly status: number
    readonly kind?: string
    readonly first_ms?: number
    readonly whole_ms: number
  }>
}

export interface RecordingsListInput {
  /** Only requests that began then or later. Default: a day ago. */
  readonly since?: string
  /** The `next_cursor` of the previous page. */
  readonly starting_after?: string
  /** Number of requests to read. The page leaves out those that no simulation replays. */
  readonly limit?: number
}

export interface RecordingsListPage {
  readonly data: ReadonlyArray<Recording>
  readonly has_more: boolean
  readonly next_cursor?: string
}

/** Recordings. */
export const recordings = (connection: Connection) => ({
  /** Export the traffic of all accounts for simulations, in the order of time: when requests came, how long they were, and how each attempt ended. No content and no callers. Videos, requests without an attempt, and those on customers' own credentials are left out. */
  list: (
    input?: RecordingsListInput,
    options?: CallOptions
  ): Paged<RecordingsListPage, Recording> =>
    connection.list<Recording, RecordingsListPage>(
      "GET /api/v1/signalbox/recording",
      input,
      options
    )
})
