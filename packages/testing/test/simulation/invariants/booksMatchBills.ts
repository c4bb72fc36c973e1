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
  const windows = Map.groupBy(
    [...world.book.limits.values()].filter((limit) => !countsPlaces(limit)),
    ({ countsByok, id, kind }) => `${kind} ${countsByok ? "all" : "credits"} ${id}`
  )
  for (const [key, limits] of windows) {
    let settled = 0n
    for (const limit of limits) {
      const usage = await world.query(ledger.getUsage(limit))
      settled += usage.settled
      if (usage.reserved !== 0n) found.push(`${key}: ${usage.reserved} is reserved for ever`)
    }
    const [limit] = limits
    if (limit === undefined) continue
    const { delivered, uncertain } = sumBills(
      world,
      (exchange) => isUnder(limit, exchange),
      limit.countsByok
    )
    if (settled < delivered) found.push(`${key}: ${settled} charged, ${delivered} billed`)
    // By a clock that is still in the window before, what is spent in the next one counts, too.
    if (settled > BigInt(limits.length) * (delivered + uncertain)) {
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
