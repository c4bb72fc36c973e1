/** Adds the bundle of a customer to its workspace. Earlier workspaces are not those of customers. */

export const customers = (): ReadonlyArray<string> => [
  `ALTER TABLE workspaces ADD COLUMN bundle text`,
  `CREATE INDEX workspaces_by_customer ON workspaces (account, seq) WHERE bundle IS NOT NULL`,
  `CREATE INDEX workspaces_by_bundle ON workspaces (bundle) WHERE bundle IS NOT NULL`
]
