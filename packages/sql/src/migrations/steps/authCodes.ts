/** Creates the table of codes that applications exchange for API keys. */
import { byCodePoint, type Dialect } from "../../connection/dialect.ts"

export const authCodes = (dialect: Dialect): ReadonlyArray<string> => [
  `CREATE TABLE auth_codes (
    hash text ${byCodePoint[dialect]} NOT NULL PRIMARY KEY,
    account text NOT NULL,
    user_id text,
    expires_at bigint NOT NULL,
    document text NOT NULL
  )`,
  `CREATE INDEX auth_codes_by_account ON auth_codes (account, expires_at)`,
  `CREATE INDEX auth_codes_by_user ON auth_codes (account, user_id)`,
  `CREATE INDEX auth_codes_by_expiry ON auth_codes (expires_at)`
]
