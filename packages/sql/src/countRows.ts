/** Counts rows of an account, so that nobody else who counts them is between the count and what is added after it. */
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { acquireExclusiveLock } from "./dialect.ts"
import { toKeyText } from "./toKeyText.ts"
import { guardStoreCall } from "./guardStoreCall.ts"

/** `from`: a table with the columns `account` and `workspace`, joined to others if need be. */
export const countRows =
  (
    sql: SqlClient.SqlClient,
    name: string,
    from: Fragment,
    ...conditions: ReadonlyArray<Fragment>
  ) =>
  (account: string, workspace?: string): Effect.Effect<number> =>
    guardStoreCall(
      Effect.andThen(
        acquireExclusiveLock(sql, JSON.stringify(["count", name, account])),
        Effect.map(
          sql<{ total: number | bigint }>`SELECT count(*) AS total FROM ${from} WHERE ${sql.and([
            sql`account = ${toKeyText(account)}`,
            ...(workspace === undefined ? [] : [sql`workspace = ${toKeyText(workspace)}`]),
            ...conditions
          ])}`,
          ([row]) => Number(row?.total ?? 0)
        )
      )
    )
