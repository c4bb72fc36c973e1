/** The conditions that lists of requests and of their sessions share. */
import type { GenerationFilter, SessionFilter } from "@signalbox/core/stores"
import type * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { matchOptional } from "../rows/matchOptional.ts"
import { toKeyText } from "../rows/toKeyText.ts"

export const matchRequests = (
  sql: SqlClient.SqlClient,
  filter: Pick<GenerationFilter, keyof SessionFilter>
): ReadonlyArray<Fragment> => [
  sql`account = ${toKeyText(filter.account)}`,
  ...(filter.from === undefined ? [] : [sql`started_at >= ${filter.from}`]),
  ...(filter.to === undefined ? [] : [sql`started_at < ${filter.to}`]),
  ...matchOptional(sql, "workspace", filter.workspace),
  ...matchOptional(sql, "key_hash", filter.key),
  ...matchOptional(sql, "acting_user", filter.user),
  // Named by earlier versions, which knew no other user.
  ...matchOptional(sql, "user_id", filter.externalUser),
  ...matchOptional(sql, "session_id", filter.session),
  ...matchOptional(sql, "model", filter.model)
]
