/** AccountStore in the memory of this process. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MemoryJournal } from "./MemoryJournal.ts"
import { makeMemoryTable } from "./makeMemoryTable.ts"
import type { AccountId } from "../values/ids/Ids.ts"
import type { Account } from "../tenants/accounts/Account.ts"
import { AccountStore } from "../tenants/accounts/AccountStore.ts"

export const memoryAccountStore: Layer.Layer<AccountStore, never, MemoryJournal> = Layer.effect(
  AccountStore,
  Effect.map(MemoryJournal, (journal) => {
    const table = makeMemoryTable<AccountId, Account>(journal)
    const configured = new Map<AccountId, string>()
    return {
      get: (id) => Effect.succeed(table.rows.get(id) ?? { id }),
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
