/** Everything in the database at which processes of a proof meet. */
import { postgres, sqlite } from "@signalbox/sql"
import type { TestDatabase } from "./TestDatabase.ts"

export const openStores = (database: TestDatabase) =>
  database.kind === "sqlite"
    ? sqlite({ path: database.path })
    : postgres({ url: database.url, schema: database.schema })
