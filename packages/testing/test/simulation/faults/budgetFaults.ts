/** Budgets that do not bind. */
import { LedgerStore, NanoUsd } from "@signalbox/core/stores"
import * as Context from "effect/Context"
import type { PlantedFault } from "./PlantedFault.ts"

export const budgetFaults: ReadonlyArray<PlantedFault> = [
  {
    name: "the budget of a user counts what is spent, and refuses nothing",
    breaks: "noUserOverspends",
    process: (stores) => {
      const ledger = Context.get(stores, LedgerStore)
      return Context.add(stores, LedgerStore, {
        ...ledger,
        reserve: (request) =>
          ledger.reserve({
            ...request,
            limits: request.limits.map((limit) =>
              limit.scope?.externalUser === undefined ? limit : { ...limit, cap: NanoUsd.maxAmount }
            )
          })
      })
    }
  }
]
