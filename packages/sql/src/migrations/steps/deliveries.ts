/** Creates the table of webhook deliveries. */
import { type Dialect, sequence } from "../../connection/dialect.ts"

export const deliveries = (dialect: Dialect): ReadonlyArray<string> => [
  `CREATE TABLE deliveries (
    seq ${sequence[dialect]},
    id text NOT NULL UNIQUE,
    account text NOT NULL,
    workspace text NOT NULL,
    state text NOT NULL,
    turn bigint NOT NULL,
    ended_at bigint,
    document text NOT NULL
  )`,
  `CREATE INDEX deliveries_by_account ON deliveries (account, seq)`,
  `CREATE INDEX deliveries_by_workspace ON deliveries (account, workspace, seq)`,
  `CREATE INDEX deliveries_by_state ON deliveries (account, state, seq)`,
  `CREATE INDEX deliveries_by_workspace_and_state ON deliveries (account, workspace, state, seq)`,
  `CREATE INDEX deliveries_by_end ON deliveries (ended_at)`
]
