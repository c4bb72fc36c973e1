/**
 * Adds the function that ends and makes many reservations at once, with leases on the clock of the database. The functions
 * before it stay, because processes of the version before may still run.
 */
import type { Dialect } from "../../connection/dialect.ts"
import { createApplyFunction } from "../../ledger/createApplyFunction.ts"

export const ledgerBatches = (dialect: Dialect): ReadonlyArray<string> =>
  dialect === "postgres" ? [createApplyFunction] : []
