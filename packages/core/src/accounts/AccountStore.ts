/** Where accounts are kept. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { AccountId } from "../values/AccountId.ts"
import type { Account } from "./Account.ts"

/** A store that knows nothing of an account answers `{ id }`: an account without restrictions. */
export class AccountStore extends Context.Service<
  AccountStore,
  { readonly find: (id: AccountId) => Effect.Effect<Account> }
>()("@signalbox/core/accounts/AccountStore") {
  static readonly layerMemory = (accounts: ReadonlyArray<Account>): Layer.Layer<AccountStore> =>
    Layer.sync(AccountStore, () => {
      const byId = new Map(accounts.map((account) => [account.id, Effect.succeed(account)]))
      return { find: (id) => byId.get(id) ?? Effect.succeed({ id }) }
    })
}
