/** Where the boxes of proofs keep what is written: `SIGNALBOX_STORES=sqlite` puts all of them on SQLite. */
import type { Options } from "@signalbox/core"
import { sqlite } from "@signalbox/sql"

export const storesOfProofs = (): Pick<Options, "stores"> =>
  process.env["SIGNALBOX_STORES"] === "sqlite" ? { stores: sqlite({ path: ":memory:" }) } : {}
