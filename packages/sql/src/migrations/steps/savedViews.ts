/** Creates the table of saved views. */
import type { Dialect } from "../../connection/dialect.ts"
import { createOwnedTable } from "../createOwnedTable.ts"

export const savedViews = (dialect: Dialect): ReadonlyArray<string> =>
  createOwnedTable(dialect, "saved_views")
