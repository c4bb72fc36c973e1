/**
 * Adds the columns that lists of generations filter by. Older records are only in lists without these filters, because
 * filling the columns of a large table would delay the start.
 */
import { byCodePoint, type Dialect } from "../../connection/dialect.ts"

export const generationFilters = (dialect: Dialect): ReadonlyArray<string> => [
  ...[
    "workspace",
    "key_hash",
    "user_id",
    "session_id",
    "model",
    "provider",
    "operation",
    "outcome"
  ].map((column) => `ALTER TABLE generations ADD COLUMN ${column} text`),
  `CREATE INDEX generations_by_account ON generations
    (account, started_at, id ${byCodePoint[dialect]})`,
  `CREATE INDEX generations_by_key ON generations
    (account, key_hash, started_at, id ${byCodePoint[dialect]})`,
  `CREATE INDEX generations_by_user ON generations
    (account, user_id, started_at, id ${byCodePoint[dialect]}) WHERE user_id IS NOT NULL`,
  `CREATE INDEX generations_by_session ON generations
    (account, session_id, started_at, id ${byCodePoint[dialect]}) WHERE session_id IS NOT NULL`,
  `CREATE INDEX generations_by_failure ON generations
    (account, started_at, id ${byCodePoint[dialect]}) WHERE outcome <> 'answered'`
]
