/** Counts spending of later windows too, so that setting the clock back does not reset a limit. */
import type { Dialect } from "../../connection/dialect.ts"
import { makeReserveFunction } from "./ledger.ts"

export const ledgerClock = (dialect: Dialect): ReadonlyArray<string> =>
  dialect === "postgres" ? [makeReserveFunction("CREATE OR REPLACE FUNCTION", ">=")] : []
