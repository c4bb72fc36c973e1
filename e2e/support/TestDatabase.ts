/** The database at which processes of a proof meet. */
export type TestDatabase =
  | { readonly kind: "sqlite"; readonly path: string }
  | { readonly kind: "postgres"; readonly url: string; readonly schema: string }

/** A new one in Postgres, or where that is not running in a file in this folder. */
export const makeTestDatabase = (folder: string, postgresUrl: string | undefined): TestDatabase =>
  postgresUrl === undefined
    ? { kind: "sqlite", path: `${folder}/signalbox.db` }
    : { kind: "postgres", url: postgresUrl, schema: `meeting-${crypto.randomUUID()}` }
