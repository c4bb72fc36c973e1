/** The ledger has charged what the providers have billed: exactly, unless the outcome of a call was unknown. */
import { LedgerStore } from "@signalbox/core/stores"
import * as Context from "effect/Context"
import { keyHashOf } from "../Tenant.ts"
import type { World } from "../World.ts"
import { sumBills } from "./bills.ts"

export const booksMatchBills = async (world: World): Promise<ReadonlyArray<string>> => {
  const ledger = Context.get(world.stores, LedgerStore)
  const found: Array<string> = []
  for (const [key, limit] of world.book.limits) {
    const { reserved, settled } = await world.query(ledger.getUsage(limit))
    const { delivered, uncertain } = sumBills(world, ({ secret, tenant }) =>
      limit.kind === "credits" ? tenant.account === limit.id : limit.id.includes(keyHashOf(secret))
    )
    if (reserved !== 0n) found.push(`${key}: ${reserved} is reserved for ever`)
    if (settled < delivered) found.push(`${key}: ${settled} charged, ${delivered} billed`)
    if (settled > delivered + uncertain) {
      found.push(`${key}: ${settled} charged, ${delivered} billed, ${uncertain} uncertain`)
    }
  }
  return found
}
