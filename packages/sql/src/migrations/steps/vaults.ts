/** Creates the tables of vaults, their sealed secrets and the hosts of each secret. */
import { byCodePoint, type Dialect } from "../../connection/dialect.ts"

export const vaults = (dialect: Dialect): ReadonlyArray<string> => [
  `CREATE TABLE vaults (
    id text PRIMARY KEY,
    account text NOT NULL,
    workspace text NOT NULL,
    key_under text,
    sealed_key text,
    document text NOT NULL
  )`,
  `CREATE INDEX vaults_by_workspace ON vaults (account, workspace)`,
  `CREATE INDEX vaults_by_key ON vaults (key_under)`,
  `CREATE TABLE vault_secrets (
    vault text NOT NULL,
    name text ${byCodePoint[dialect]} NOT NULL,
    sealed_under text NOT NULL,
    document text NOT NULL,
    PRIMARY KEY (vault, name)
  )`,
  `CREATE INDEX vault_secrets_by_key ON vault_secrets (sealed_under)`,
  `CREATE TABLE vault_hosts (
    vault text NOT NULL,
    host text NOT NULL,
    name text ${byCodePoint[dialect]} NOT NULL,
    PRIMARY KEY (vault, host, name)
  )`,
  `CREATE INDEX vault_hosts_by_name ON vault_hosts (vault, name)`
]
