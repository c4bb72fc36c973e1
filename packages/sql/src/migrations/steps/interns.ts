/** Creates the table of interns, indexed for every lookup. */
import { type Dialect, sequence } from "../../connection/dialect.ts"

export const interns = (dialect: Dialect): ReadonlyArray<string> => [
  `CREATE TABLE interns (
    seq ${sequence[dialect]},
    id text NOT NULL UNIQUE,
    account text NOT NULL,
    workspace text NOT NULL,
    creator text NOT NULL,
    name text NOT NULL,
    status text NOT NULL,
    turn bigint NOT NULL,
    vault text NOT NULL UNIQUE,
    attached_vault text,
    hostname text,
    creation_key text UNIQUE,
    document text NOT NULL,
    UNIQUE (account, workspace, creator, name)
  )`,
  `CREATE INDEX interns_by_workspace ON interns (account, workspace, seq)`,
  `CREATE INDEX interns_by_status ON interns (account, workspace, status, seq)`,
  `CREATE INDEX interns_by_attached_vault ON interns (attached_vault)`,
  `CREATE INDEX interns_by_hostname ON interns (hostname)`
]
