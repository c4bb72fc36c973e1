/** Accounts by id. */
import { type Account, AccountStore } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { withExclusiveLock } from "../connection/locks.ts"
import { readFirst, type DocumentRow } from "../rows/DocumentRow.ts"
import { toKeyText } from "../rows/toKeyText.ts"
import { guardStoreCall } from "../errors/guardStoreCall.ts"

export const accountStore: Layer.Layer<AccountStore, never, SqlClient.SqlClient> = Layer.effect(
  AccountStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const withLock = withExclusiveLock(sql)
    const get = (id: Account["id"]) =>
      Effect.map(
        sql<DocumentRow<Account>>`SELECT document FROM accounts WHERE id = ${toKeyText(id)}`,
        (rows): Account => readFirst(rows) ?? { id }
      )
    const upsert = (account: Account) =>
      sql`INSERT INTO accounts ${sql.insert({ id: toKeyText(account.id), document: JSON.stringify(account) })}
        ON CONFLICT (id) DO UPDATE SET document = excluded.document`

    return {
      get: (id) => guardStoreCall(get(id)),
      update: Effect.fnUntraced(
        function* (id, change) {
          const before = yield* get(id)
          const after: Account = { ...change(before), id }
          yield* upsert(after)
          return after
        },
        (effect, id) => withLock("account", id)(effect)
      ),
      configure: Effect.fnUntraced(
        function* (account) {
          const configuredJson = JSON.stringify(account)
          const rows = yield* sql<{ configured_document: string | null }>`
          SELECT configured_document FROM accounts WHERE id = ${toKeyText(account.id)}`
          if (rows[0]?.configured_document === configuredJson) return
          yield* upsert(account)
          yield* sql`UPDATE accounts SET configured_document = ${configuredJson} WHERE id = ${toKeyText(account.id)}`
        },
        (effect, { id }) => withLock("account", id)(effect)
      )
    }
  })
)
