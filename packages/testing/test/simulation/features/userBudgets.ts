/** Budgets that hold for each external user by itself, and rushes on them. */
import {
  AccountId,
  defaultWorkspaceId,
  type ScopedBudget,
  WorkspaceStore
} from "@signalbox/core/stores"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { makeChat, pickProcess } from "../questions.ts"
import { lastRequestAt } from "../script.ts"
import { tenants } from "../Tenant.ts"
import type { Feature } from "./Feature.ts"

/** Nano-USD: little enough that a rush exhausts it. */
export const userBudgetNano = 700_000n

/** People of each tenant; those of two tenants have the same names. */
export const externalUsers = ["ada", "bob"] as const

export const userBudgets: Feature = {
  share: 0.1,
  prepare: async (world) => {
    const { scopedBudgets } = Context.get(world.stores, WorkspaceStore)
    for (const { account } of tenants) {
      await world.query(
        Effect.asVoid(scopedBudgets.insert(AccountId.make(account), makeBudget(account)))
      )
    }
  },
  plan: (world) => {
    const { chance, director } = world
    for (let rushes = chance.between(1, 3); rushes > 0; rushes--) {
      const at = chance.between(3_000, lastRequestAt)
      const tenant = chance.pick(tenants)
      const user = chance.pick(externalUsers)
      for (let size = chance.between(3, 7); size > 0; size--) {
        director.schedule(at + chance.between(0, 20), "asks for a user", () => {
          const process = pickProcess(world)
          if (process === undefined) return
          world.client.send(process, (id) => {
            const chat = makeChat(world, tenant, id, tenant.open)
            return { ...chat, user, body: { ...chat.body, user } }
          })
        })
      }
    }
  }
}

const makeBudget = (account: string): ScopedBudget => ({
  id: `budget-${account}`,
  workspace_id: defaultWorkspaceId,
  name: "external user *",
  scope: { external_user: "*" },
  limit_usd: Number(userBudgetNano) / 1e9,
  reset_interval: null,
  soft: false,
  include_byok_in_budgets: false,
  created_at: begin,
  updated_at: begin
})

const begin = "2026-03-02T12:00:00.000Z"
