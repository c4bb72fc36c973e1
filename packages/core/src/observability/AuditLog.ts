/** What was changed by whom: kept with the change, and never with a secret. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { AccountId } from "../values/ids/AccountId.ts"
import type { KeyHash } from "../values/ids/KeyHash.ts"
import { type CursorRequest, type CursorPage } from "../values/pages/CursorPage.ts"
import type { UserId } from "../values/ids/UserId.ts"

/** One change; `before` and `after` are plain JSON in the fields of the HTTP API, of a bounded size. */
export interface AuditEntry {
  readonly id: string
  readonly account: AccountId
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Who did it: a key, a user, or, with neither, the application itself. */
  readonly actor: { readonly keyHash?: KeyHash; readonly user?: UserId }
  /** Such as `workspace.update`. */
  readonly action: string
  /** The id of what was changed. */
  readonly target: string
  /** Absent for what was created. */
  readonly before?: unknown
  /** Absent for what was deleted. */
  readonly after?: unknown
}

/** Race: an entry is kept if and only if the change it tells of is, inside `Transaction`. */
export class AuditLog extends Context.Service<
  AuditLog,
  {
    readonly append: (entry: AuditEntry) => Effect.Effect<void>
    /** Newest first, at the same cost however many there are. */
    readonly list: (
      account: AccountId,
      scroll: CursorRequest
    ) => Effect.Effect<CursorPage<AuditEntry>>
  }
>()("@signalbox/core/observability/AuditLog") {}
