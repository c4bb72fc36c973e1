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
 * Stores requests that failed before they were routed. Anybody can send these, so a store bounds how many it keeps: beyond
 * that it forgets the oldest. Requests that were not authenticated evict none of an account.
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
