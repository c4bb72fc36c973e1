/** The table of resources that belong to workspaces of accounts; `makeOwnedStore` reads and writes it. */
import { type Dialect, sequence } from "../connection/dialect.ts"

/** Released migrations have these statements, so they never change. */
export const createOwnedTable = (dialect: Dialect, name: string): ReadonlyArray<string> => [
  `CREATE TABLE ${name} (
    seq ${sequence[dialect]},
    account text NOT NULL,
    id text NOT NULL,
    workspace text NOT NULL,
    document text NOT NULL,
    UNIQUE (account, id)
  )`,
  `CREATE INDEX ${name}_by_workspace ON ${name} (account, workspace, seq)`
]
