/** Creates the table of budgets of tags, models, providers and external users, which are read with those of workspaces. */
import type { Dialect } from "../../connection/dialect.ts"
import { createOwnedTable } from "../createOwnedTable.ts"

export const scopedBudgets = (dialect: Dialect): ReadonlyArray<string> => [
  ...createOwnedTable(dialect, "scoped_budgets"),
  ...(dialect === "sqlite"
    ? []
    : [
        `CREATE TRIGGER notify_change AFTER INSERT OR UPDATE OR DELETE ON scoped_budgets
          FOR EACH ROW EXECUTE FUNCTION notify_change('workspaces', 'account')`
      ])
]
