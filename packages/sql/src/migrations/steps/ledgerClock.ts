/** Counts spending of later windows too, so that setting the clock back does not reset a limit. */
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
