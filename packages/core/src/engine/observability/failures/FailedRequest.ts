/** A request over HTTP that failed before it was routed, without its content. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { AccountId, KeyHash, UserId, WorkspaceId } from "../../../values/ids/Ids.ts"
import { optionalText } from "../../../values/schemaFields.ts"

/** A request over HTTP that failed before it was routed, without its content. */
export const FailedRequest = Schema.Struct({
  /** The `x-request-id` of its response. A client may have chosen it, so that it is not unique. */
  requestId: Schema.String,
  /** Milliseconds since the epoch. */
  at: Schema.Finite,
  /** Who sent it; absent: it was not authenticated. */
  caller: Schema.optionalKey(
    Schema.Struct({
      account: AccountId,
      workspace: WorkspaceId,
      keyHash: Schema.optionalKey(KeyHash),
      user: Schema.optionalKey(UserId)
    })
  ),
  method: Schema.String,
  /** Such as `keys.create`; absent: no operation matches. */
  operation: optionalText,
  /** The path of the operation as the contract writes it; absent: no operation matches. */
  path: optionalText,
  status: Schema.Int,
  /** `error_type` of the error. */
  type: optionalText,
  /** `reason` of the error. */
  reason: optionalText,
  /** At most 200 characters, without keys. */
  message: Schema.String,
  /** Its first product, such as `openai-node/4.1`. */
  userAgent: optionalText
})
export type FailedRequest = typeof FailedRequest.Type

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
>()("@signalbox/core/engine/observability/failures/FailedRequestStore") {}
