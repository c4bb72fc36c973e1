/** Spending of later windows counts in earlier ones: a clock that is set back grants no limit anew. */
import type { Dialect } from "../../connection/dialect.ts"
import { createReserveFunction } from "./ledger.ts"

export const ledgerClock = (dialect: Dialect): ReadonlyArray<string> =>
  dialect === "postgres"
    ? [
        createReserveFunction
          .replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION")
          .replace("s.began_at = ", "s.began_at >= ")
      ]
    : []
