/** Indexes sealed rows by their sealing key and id, to page through them when keys rotate. */
export const resealing = (): ReadonlyArray<string> => [
  `DROP INDEX credentials_by_key`,
  `CREATE INDEX credentials_by_key ON credentials (sealed_under, account, id)`,
  `DROP INDEX webhook_secrets_by_key`,
  `CREATE INDEX webhook_secrets_by_key
    ON webhook_secrets (sealed_under, account, workspace, id)`,
  `DROP INDEX vaults_by_key`,
  `CREATE INDEX vaults_by_key ON vaults (key_under, id)`,
  `DROP INDEX vault_secrets_by_key`,
  `CREATE INDEX vault_secrets_by_key ON vault_secrets (sealed_under, vault, name)`
]
