/** Counts the rows of an account for a quota. */
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { acquireExclusiveLock } from "../connection/dialect.ts"
import { guardStoreCall } from "../errors/guardStoreCall.ts"
import { matchOptional } from "./matchOptional.ts"
import { toKeyText } from "./toKeyText.ts"

/**
 * Counts under a lock on `name` that the current transaction keeps, so that no other count comes between
 * this one and the insert it allows. `from` is a table or join with the columns `account` and `workspace`.
 */
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
        countAll(
          sql,
          sql`${from} WHERE ${sql.and([
            sql`account = ${toKeyText(account)}`,
            ...matchOptional(sql, "workspace", workspace),
            ...conditions
          ])}`
        )
      )
    )

/** `from` is a table and the conditions on its rows. */
export const countAll = (
  sql: SqlClient.SqlClient,
  from: Fragment
): Effect.Effect<number, SqlError> =>
  Effect.map(sql<{ total: number | bigint }>`SELECT count(*) AS total FROM ${from}`, ([row]) =>
    Number(row?.total ?? 0)
  )
