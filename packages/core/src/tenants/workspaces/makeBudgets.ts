/** Manages the budgets of workspaces. */
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { Audit, findChangedTarget } from "../../engine/observability/audit/Audit.ts"
import type { Actor } from "../../values/Actor.ts"
import { type InvalidRequest, ResourceNotFound } from "../../values/errors/RequestErrors.ts"
import {
  type Budget,
  type BudgetConfig,
  type Interval,
  findBudgetConflict,
  toInterval
} from "./Budget.ts"
import { isIntervalBudget } from "./ScopedBudget.ts"
import type { FindWorkspace } from "./WorkspaceDefaults.ts"
import { WorkspaceStore } from "./WorkspaceStore.ts"

/** The budgets of a workspace, which is given by id or slug. */
export interface Budgets {
  readonly getBudgets: (
    actor: Actor,
    ref: string
  ) => Effect.Effect<WorkspaceBudgets, ResourceNotFound>
  /** A limit must be less than the limits of longer intervals, and more than those of shorter ones. */
  readonly putBudget: (
    actor: Actor,
    ref: string,
    interval: Interval,
    config: BudgetConfig
  ) => Effect.Effect<Budget, InvalidRequest | ResourceNotFound>
  readonly removeBudget: (
    actor: Actor,
    ref: string,
    interval: Interval
  ) => Effect.Effect<void, ResourceNotFound>
}

/** The budgets of a workspace, and whether its own credentials count under them. */
interface WorkspaceBudgets {
  readonly budgets: ReadonlyArray<Budget>
  readonly include_byok_in_budgets: boolean
}

export const makeBudgets = Effect.fnUntraced(function* (get: FindWorkspace) {
  const audit = yield* Audit
  const store = yield* WorkspaceStore
  const listIntervalBudgets = ({ account }: Actor, id: string) =>
    Effect.map(store.budgets(account, id), (budgets) => budgets.filter(isIntervalBudget))
  const budgets: Budgets = {
    getBudgets: Effect.fnUntraced(function* (actor, ref) {
      const { id, include_byok_in_budgets } = yield* get(actor, ref)
      const budgets = yield* listIntervalBudgets(actor, id)
      return { budgets, include_byok_in_budgets }
    }),
    putBudget: Effect.fnUntraced(function* (actor, ref, interval, config) {
      const { id } = yield* get(actor, ref)
      const at = DateTime.formatIso(yield* DateTime.now)
      const { include_byok_in_budgets: counts, limit_usd, soft = false } = config
      const budget: Budget = {
        id: SecureRandom.uuidV4Unsafe(),
        workspace_id: id,
        limit_usd,
        reset_interval: interval === "lifetime" ? null : interval,
        ...(soft ? { soft } : undefined),
        created_at: at,
        updated_at: at
      }
      return yield* audit.change(
        actor,
        "workspace.budget.put",
        Effect.gen(function* () {
          let countedByok = false
          // First, because this locks the workspace and so its budgets. The slug is unchanged, so it cannot be
          // taken.
          const workspace = yield* Effect.orDie(
            store.update(actor.account, id, (workspace) => {
              countedByok = workspace.include_byok_in_budgets
              return { ...workspace, include_byok_in_budgets: counts ?? countedByok }
            })
          )
          if (workspace === undefined)
            return yield* new ResourceNotFound({ resource: "workspace", id: ref })
          const budgets = yield* listIntervalBudgets(actor, id)
          const problem = soft ? undefined : findBudgetConflict(budgets, interval, limit_usd)
          if (problem !== undefined) return yield* problem
          const kept = budgets.find((each) => toInterval(each) === interval)
          const result =
            kept?.limit_usd === limit_usd && (kept.soft ?? false) === soft
              ? kept
              : yield* store.putBudget(actor.account, budget)
          const before = { ...kept, include_byok_in_budgets: countedByok }
          const after = { ...result, include_byok_in_budgets: workspace.include_byok_in_budgets }
          return { result, target: findChangedTarget(id, before, after), before, after }
        })
      )
    }),
    removeBudget: Effect.fnUntraced(function* (actor, ref, interval) {
      const { id } = yield* get(actor, ref)
      const removed = yield* audit.change(
        actor,
        "workspace.budget.delete",
        Effect.map(store.removeBudget(actor.account, id, interval), (before) => ({
          result: before,
          target: before === undefined ? undefined : id,
          before
        }))
      )
      if (removed === undefined)
        return yield* new ResourceNotFound({ resource: "budget", id: interval })
    })
  }
  return budgets
})
