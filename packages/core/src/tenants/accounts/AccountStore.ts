/** Stores accounts. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { AccountId } from "../../values/ids/Ids.ts"
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
>()("@signalbox/core/tenants/accounts/AccountStore") {}
