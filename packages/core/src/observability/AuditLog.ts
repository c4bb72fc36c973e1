/** What was changed by whom: kept with the change, and never with a secret. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MemoryJournal } from "../MemoryJournal.ts"
import { Settings } from "../Settings.ts"
import { memoryTable } from "../memoryTable.ts"
import type { AccountId } from "../values/AccountId.ts"
import type { KeyHash } from "../values/KeyHash.ts"
import { type Page, type Paged, paged } from "../values/Page.ts"
import type { UserId } from "../values/UserId.ts"

/** One change; `before` and `after` are plain JSON as the wire shows it. */
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

/** Race: an entry is kept if and only if the change it tells of is, inside `Atomically`. */
export class AuditLog extends Context.Service<
  AuditLog,
  {
    readonly append: (entry: AuditEntry) => Effect.Effect<void>
    /** Newest first. */
    readonly list: (account: AccountId, page: Page) => Effect.Effect<Paged<AuditEntry>>
  }
>()("@signalbox/core/observability/AuditLog") {
  /** Keeps the latest `Settings.auditEntriesKept` of all accounts; older ones are forgotten. */
  static readonly layerMemory: Layer.Layer<AuditLog, never, MemoryJournal> = Layer.effect(
    AuditLog,
    Effect.gen(function* () {
      const { auditEntriesKept } = yield* Settings
      const table = memoryTable<string, AuditEntry>(yield* MemoryJournal)
      return {
        append: (entry) =>
          table.edit((draft) => {
            draft.set(entry.id, entry)
            if (table.rows.size > auditEntriesKept) {
              const [oldest] = table.rows.keys()
              if (oldest !== undefined) draft.delete(oldest)
            }
          }),
        list: (account, page) =>
          Effect.sync(() =>
            paged(
              Array.from(table.rows.values())
                .filter((entry) => entry.account === account)
                .toReversed(),
              page
            )
          )
      }
    })
  )
}
