/** Creates the table in which processes report themselves. */
import type { Dialect } from "../../connection/dialect.ts"

/** A file of SQLite serves one process. */
export const processes = (dialect: Dialect): ReadonlyArray<string> =>
  dialect === "sqlite"
    ? []
    : [
        `CREATE TABLE processes (
          id text NOT NULL PRIMARY KEY,
          document text NOT NULL,
          seen_at timestamptz NOT NULL
        )`
      ]
