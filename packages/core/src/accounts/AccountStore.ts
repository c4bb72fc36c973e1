/** Where accounts are kept. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MemoryJournal } from "../MemoryJournal.ts"
import { memoryTable } from "../memoryTable.ts"
import type { AccountId } from "../values/AccountId.ts"
import type { Account } from "./Account.ts"

/** A store that knows nothing of an account answers `{ id }`: an account without restrictions. */
export class AccountStore extends Context.Service<
  AccountStore,
  {
    readonly find: (id: AccountId) => Effect.Effect<Account>
    /**
     * Keeps what `change` makes of the account and gives it back; the id stays. Race: of two changes at
     * once, the later one is given what the earlier one made.
     */
    readonly update: (
      id: AccountId,
      change: (account: Account) => Omit<Account, "id">
    ) => Effect.Effect<Account>
  }
>()("@signalbox/core/accounts/AccountStore") {
  static readonly layerMemory = (
    accounts: ReadonlyArray<Account>
  ): Layer.Layer<AccountStore, never, MemoryJournal> =>
    Layer.effect(
      AccountStore,
      Effect.gen(function* () {
        const table = memoryTable<AccountId, Account>(yield* MemoryJournal)
        yield* table.edit((draft) => {
          for (const account of accounts) draft.set(account.id, account)
        })
        return {
          find: (id) => Effect.sync(() => table.rows.get(id) ?? { id }),
          update: (id, change) =>
            table.edit((draft) => {
              const after: Account = { ...change(draft.get(id) ?? { id }), id }
              draft.set(id, after)
              return after
            })
        }
      })
    )
}
