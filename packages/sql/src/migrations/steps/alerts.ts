/** Creates the tables of alerts, of their rules, and of the claims by which each is raised once. */
import { type Dialect, sequence } from "../../connection/dialect.ts"
import { createOwnedTable } from "../createOwnedTable.ts"

export const alerts = (dialect: Dialect): ReadonlyArray<string> => [
  ...createOwnedTable(dialect, "alert_rules"),
  `CREATE TABLE alerts (
    seq ${sequence[dialect]},
    id text NOT NULL UNIQUE,
    account text NOT NULL,
    workspace text NOT NULL,
    created_at bigint NOT NULL,
    document text NOT NULL
  )`,
  `CREATE INDEX alerts_by_account ON alerts (account, seq)`,
  `CREATE INDEX alerts_by_workspace ON alerts (account, workspace, seq)`,
  `CREATE INDEX alerts_by_age ON alerts (created_at)`,
  `CREATE TABLE alert_claims (
    claim_key text NOT NULL PRIMARY KEY,
    level bigint NOT NULL,
    expires_at bigint NOT NULL
  )`,
  `CREATE INDEX alert_claims_by_expiry ON alert_claims (expires_at)`
]
