/** The audit log: each change and its author, stored in the transaction of the change. A port. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { AccountId, KeyHash, UserId } from "../../../values/ids/Ids.ts"
import type { CursorPage, CursorRequest } from "../../../values/pages/CursorPage.ts"
import { UnknownJson } from "../../../values/schemaFields.ts"

/** One change. `before` and `after` are JSON without secrets, in the fields of the HTTP API, of bounded size. */
export const AuditEntry = Schema.Struct({
  id: Schema.String,
  account: AccountId,
  /** Milliseconds since the epoch. */
  at: Schema.Finite,
  /** The author: a key, a user or, without either, the application itself. */
  actor: Schema.Struct({
    keyHash: Schema.optionalKey(KeyHash),
    user: Schema.optionalKey(UserId)
  }),
  /** For example `workspace.update`. */
  action: Schema.String,
  /** The id of the changed resource. */
  target: Schema.String,
  /** Absent for a created resource. */
  before: Schema.optionalKey(UnknownJson),
  /** Absent for a deleted resource. */
  after: Schema.optionalKey(UnknownJson)
})
export type AuditEntry = typeof AuditEntry.Type

/** Race: inside a `Transaction`, the entry is stored if and only if the change is. */
export class AuditLog extends Context.Service<
  AuditLog,
  {
    readonly append: (entry: AuditEntry) => Effect.Effect<void>
    /** Newest first; the cost must not grow with the number of entries. */
    readonly list: (
      account: AccountId,
      cursor: CursorRequest
    ) => Effect.Effect<CursorPage<AuditEntry>>
  }
>()("@signalbox/core/engine/observability/audit/AuditLog") {}
