/** Accounts, by id. */
import { type Account, AccountStore } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { alone } from "../alone.ts"
import { first, type Kept } from "../kept.ts"
import { keyText } from "../keyText.ts"
import { inTime } from "../orUnavailable.ts"

export const accountStore: Layer.Layer<AccountStore, never, SqlClient.SqlClient> = Layer.effect(
  AccountStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const locked = alone(sql)
    const find = (id: Account["id"]) =>
      Effect.map(
        sql<Kept<Account>>`SELECT document FROM accounts WHERE id = ${keyText(id)}`,
        (rows): Account => first(rows) ?? { id }
      )
    const keep = (account: Account) =>
      sql`INSERT INTO accounts ${sql.insert({ id: keyText(account.id), document: JSON.stringify(account) })}
        ON CONFLICT (id) DO UPDATE SET document = excluded.document`

    return {
      find: (id) => inTime(find(id)),
      update: Effect.fnUntraced(
        function* (id, change) {
          const before = yield* find(id)
          const after: Account = { ...change(before), id }
          yield* keep(after)
          return after
        },
        (effect, id) => inTime(locked("account", id)(effect))
      ),
      configure: Effect.fnUntraced(
        function* (account) {
          const said = JSON.stringify(account)
          const rows = yield* sql<{ configured: string | null }>`
          SELECT configured FROM accounts WHERE id = ${keyText(account.id)}`
          if (rows[0]?.configured === said) return
          yield* keep(account)
          yield* sql`UPDATE accounts SET configured = ${said} WHERE id = ${keyText(account.id)}`
        },
        (effect, { id }) => inTime(locked("account", id)(effect))
      )
    }
  })
)
