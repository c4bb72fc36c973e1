/** A database shared by the processes of a test. */
export type TestDatabase =
  | { readonly kind: "sqlite"; readonly path: string }
  | { readonly kind: "postgres"; readonly url: string; readonly schema: string }

/** A new schema in Postgres, or a file in this folder when Postgres is not available. */
export const makeTestDatabase = (folder: string, postgresUrl: string | undefined): TestDatabase =>
  postgresUrl === undefined
    ? { kind: "sqlite", path: `${folder}/signalbox.db` }
    : { kind: "postgres", url: postgresUrl, schema: `shared-${crypto.randomUUID()}` }
