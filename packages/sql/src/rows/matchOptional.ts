/** A condition on a lookup column for a filter that may be absent. */
import type * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { toKeyText } from "./toKeyText.ts"

export const matchOptional = (
  sql: SqlClient.SqlClient,
  column: string,
  text: string | undefined
): ReadonlyArray<Fragment> => (text === undefined ? [] : [sql`${sql(column)} = ${toKeyText(text)}`])
