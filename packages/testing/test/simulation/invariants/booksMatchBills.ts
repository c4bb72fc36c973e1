/** The ledger has charged what the providers have billed: exactly, unless the outcome of a call was unknown. */
import { LedgerStore, type Limit } from "@signalbox/core/stores"
import * as Context from "effect/Context"
import type { Exchange } from "../Client.ts"
import { keyHashOf } from "../Tenant.ts"
import type { World } from "../World.ts"
import { sumBills } from "./bills.ts"

export const booksMatchBills = async (world: World): Promise<ReadonlyArray<string>> => {
  const ledger = Context.get(world.stores, LedgerStore)
  const found: Array<string> = []
  for (const [key, limit] of world.book.limits) {
    const { reserved, settled } = await world.query(ledger.getUsage(limit))
    if (reserved !== 0n) found.push(`${key}: ${reserved} is reserved for ever`)
    if (countsPlaces(limit)) continue
    const { delivered, uncertain } = sumBills(
      world,
      (exchange) => isUnder(limit, exchange),
      limit.countsByok
    )
    if (settled < delivered) found.push(`${key}: ${settled} charged, ${delivered} billed`)
    if (settled > delivered + uncertain) {
      found.push(`${key}: ${settled} charged, ${delivered} billed, ${uncertain} uncertain`)
    }
  }
  return found
}

const isUnder = ({ id, kind, scope }: Limit, { secret, tenant, user }: Exchange): boolean => {
  if (kind === "credits") return tenant.account === id
  if (kind !== "budget") return id.includes(keyHashOf(secret))
  return id.includes(`"${tenant.account}"`) && scope?.externalUser === user
}

/** A budget of each user gives its users places in the ledger, which cost nothing. */
const countsPlaces = ({ kind, scope }: Limit): boolean => kind === "budget" && scope === undefined
