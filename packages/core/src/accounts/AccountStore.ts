/** Where accounts are kept. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MemoryJournal } from "../MemoryJournal.ts"
import { makeMemoryTable } from "../makeMemoryTable.ts"
import type { AccountId } from "../values/ids/AccountId.ts"
import type { Account } from "./Account.ts"

/** A store that knows nothing of an account answers `{ id }`: an account without restrictions. */
export class AccountStore extends Context.Service<
  AccountStore,
  {
    readonly get: (id: AccountId) => Effect.Effect<Account>
    /**
     * Keeps what `change` makes of the account and gives it back; the id stays. Race: of two changes at
     * once, the later one is given what the earlier one made.
     */
    readonly update: (
      id: AccountId,
      change: (account: Account) => Omit<Account, "id">
    ) => Effect.Effect<Account>
    /**
     * Keeps what the host says of the account at its start. When it said the same at the last one, what
     * was changed since then stays.
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
