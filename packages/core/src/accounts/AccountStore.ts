/** Stores accounts. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MemoryJournal } from "../MemoryJournal.ts"
import { makeMemoryTable } from "../makeMemoryTable.ts"
import type { AccountId } from "../values/ids/AccountId.ts"
import type { Account } from "./Account.ts"

/** An unknown account is `{ id }`: an account without restrictions. */
export class AccountStore extends Context.Service<
  AccountStore,
  {
    readonly get: (id: AccountId) => Effect.Effect<Account>
    /**
     * Stores and returns what `change` makes of the account; the id stays. Race: of two concurrent
     * changes, the later one receives the result of the earlier one.
     */
    readonly update: (
      id: AccountId,
      change: (account: Account) => Omit<Account, "id">
    ) => Effect.Effect<Account>
    /**
     * Stores the account that the host configures at start. If the configuration is the same as at the last start, changes
     * made since then stay.
     */
    readonly configure: (account: Account) => Effect.Effect<void>
  }
>()("@signalbox/core/accounts/AccountStore") {
  static readonly layerMemory: Layer.Layer<AccountStore, never, MemoryJournal> = Layer.effect(
    AccountStore,
    Effect.map(MemoryJournal, (journal) => {
      const table = makeMemoryTable<AccountId, Account>(journal)
      const configured = new Map<AccountId, string>()
      return {
        get: (id) => Effect.sync(() => table.rows.get(id) ?? { id }),
        update: (id, change) =>
          table.edit((draft) => {
            const after: Account = { ...change(draft.get(id) ?? { id }), id }
            draft.set(id, after)
            return after
          }),
        configure: (account) =>
          table.edit((draft) => {
            const serialized = JSON.stringify(account)
            if (configured.get(account.id) === serialized) return
            configured.set(account.id, serialized)
            draft.set(account.id, account)
          })
      }
    })
  )
}
