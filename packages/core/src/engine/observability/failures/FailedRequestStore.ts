/** Stores requests that failed before they were routed. A port. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { AccountId } from "../../../values/ids/AccountId.ts"
import type { FailedRequest } from "./FailedRequest.ts"

/** Selects failed requests of an account; absent fields match all. */
export interface FailedRequestFilter {
  readonly account: AccountId
  /** Whether requests that were not authenticated are listed, too. */
  readonly includesUnauthenticated: boolean
  /** The `x-request-id` of the response. */
  readonly requestId?: string
  /** HTTP status of the response. */
  readonly status?: number
}

/**
 * Stores requests that failed before they were routed. Clients can send these without a key, so a store bounds how many
 * it keeps and forgets the oldest beyond that. Unauthenticated requests never evict those of an account.
 */
export class FailedRequestStore extends Context.Service<
  FailedRequestStore,
  {
    /** Its response does not wait for it. A store that needs long queues the record, and may lose it with the process. */
    readonly record: (failed: FailedRequest) => Effect.Effect<void>
    /** The latest first, at most `limit`, with those that still wait to be written. */
    readonly list: (
      filter: FailedRequestFilter,
      limit: number
    ) => Effect.Effect<ReadonlyArray<FailedRequest>>
  }
>()("@signalbox/core/observability/failures/FailedRequestStore") {}
