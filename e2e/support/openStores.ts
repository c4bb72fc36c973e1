/** The stores in the database of a test. */
import { postgres, sqlite } from "@signalbox/sql"
import type { TestDatabase } from "./TestDatabase.ts"

export const openStores = (database: TestDatabase) =>
  database.kind === "sqlite"
    ? sqlite({ path: database.path })
    : postgres({ url: database.url, schema: database.schema })
