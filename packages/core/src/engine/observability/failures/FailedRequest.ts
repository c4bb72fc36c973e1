/** A request over HTTP that failed before it was routed, without its content. */
import * as Schema from "effect/Schema"
import { AccountId } from "../../../values/ids/AccountId.ts"
import { KeyHash } from "../../../values/ids/KeyHash.ts"
import { UserId } from "../../../values/ids/UserId.ts"
import { WorkspaceId } from "../../../values/ids/WorkspaceId.ts"
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
