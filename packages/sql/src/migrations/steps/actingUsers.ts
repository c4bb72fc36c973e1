/**
 * Lets records be found by the user who acted. `user_id` stays the `user` of their requests, which earlier versions write
 * there; their records have no acting user.
 */
import { byCodePoint, type Dialect } from "../../connection/dialect.ts"

export const actingUsers = (dialect: Dialect): ReadonlyArray<string> => [
  `ALTER TABLE generations ADD COLUMN acting_user text`,
  `CREATE INDEX generations_by_acting_user ON generations
    (account, acting_user, started_at, id ${byCodePoint[dialect]}) WHERE acting_user IS NOT NULL`
]
