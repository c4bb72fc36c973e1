/** Reports what a customer has used, from the figures over time, the counters of spending and its budgets. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { getCalendar } from "../../engine/ledger/Calendar.ts"
import { noSpend, SpendCounters } from "../../engine/ledger/SpendCounters.ts"
import * as Subject from "../../engine/ledger/Subject.ts"
import * as Measures from "../../engine/observability/rollups/Measures.ts"
import { type RollupBucket, RollupStore } from "../../engine/observability/rollups/RollupStore.ts"
import { bucketMillis, type Resolution } from "../../engine/observability/rollups/Resolution.ts"
import { pickPairs, toSeries } from "../../engine/observability/rollups/toSeries.ts"
import { Settings } from "../../instance/Settings.ts"
import { makeMeasureLimit } from "../../routing/restrictions/makeMeasureLimit.ts"
import { SpendLimits } from "../../routing/restrictions/SpendLimits.ts"
import { CurrentBundles } from "../../tenants/auth/bundles/Bundle.ts"
import type { Caller } from "../../tenants/auth/Caller.ts"
import type { AccountId } from "../../values/ids/Ids.ts"
import { WorkspaceId } from "../../values/ids/Ids.ts"
import { fromPairValue, workspaceUsers } from "../../values/Dimension.ts"
import type { Customer, CustomerUsage, UsageQuery } from "./Customer.ts"

export const makeCustomerUsage = Effect.gen(function* () {
  const bundles = yield* CurrentBundles
  const calendar = getCalendar(yield* Settings)
  const counters = yield* SpendCounters
  const measureLimit = yield* makeMeasureLimit
  const rollups = yield* RollupStore
  const spendLimits = yield* SpendLimits

  /** The figures of a workspace by the other half of a pair. */
  const readPairs = Effect.fnUntraced(function* (
    account: AccountId,
    dimension: "workspace,model" | typeof workspaceUsers,
    workspace: string,
    range: FigureRange
  ) {
    const buckets = yield* rollups.list({ account, dimension, ...range })
    return {
      isComplete: buckets.every(({ other }) => other === undefined),
      pairs: toPairs(pickPairs(buckets, workspace))
    }
  })

  const listBudgets = Effect.fnUntraced(function* (caller: Caller, { name }: Customer) {
    const limits = yield* spendLimits.listLimits(caller, [])
    return yield* Effect.forEach(
      limits.filter(({ kind }) => kind === "workspace"),
      (limit) => measureLimit(limit, { name, workspace: caller.workspace })
    )
  })

  return Effect.fnUntraced(function* (
    account: AccountId,
    customer: Customer,
    { interval, period }: UsageQuery
  ): Effect.fn.Return<CustomerUsage> {
    const now = yield* Clock.currentTimeMillis
    const running = calendar.toWindow(interval, now)
    const window =
      period === "current" || interval === "lifetime"
        ? running
        : calendar.toWindow(interval, running.beganAt - 1)
    const from = Math.max(window.beganAt, Date.parse(customer.created_at))
    const range = toFigureRange(window.beganAt, from, Math.min(window.endsAt, now + 1))
    const workspace = WorkspaceId.make(customer.workspace_id)
    const models = yield* readPairs(account, "workspace,model", workspace, range)
    const users = yield* readPairs(account, workspaceUsers, workspace, range)
    const bundle = bundles.get(customer.bundle)
    const caller: Caller = {
      account,
      workspace,
      kind: "host",
      ...(bundle === undefined ? undefined : { bundle })
    }
    const isRunning = window === running
    const subject = Subject.fromWorkspace(caller)
    return {
      customer,
      interval,
      from: interval === "lifetime" ? from : window.beganAt,
      to: window.endsAt,
      total: Measures.mergeAll(models.pairs.map(({ measures }) => measures)),
      byModel: models.pairs.map(({ measures, second }) => ({ model: second, measures })),
      byUser: users.pairs.map(({ measures, second }) => ({ user: second, measures })),
      isComplete: range.isExact && models.isComplete && users.isComplete,
      ...(isRunning
        ? { spend: (yield* counters.findSpend([subject], now)).get(subject) ?? noSpend }
        : undefined),
      budgets: isRunning ? yield* listBudgets(caller, customer) : []
    }
  })
})

interface FigureRange {
  readonly resolution: Resolution
  readonly from: number
  readonly to: number
  /** Whether the period begins with a bucket. */
  readonly isExact: boolean
}

/** By day where the period begins with a day in UTC, else by hour: figures by day are kept longest. */
const toFigureRange = (beganAt: number, from: number, to: number): FigureRange => {
  const isAligned = (resolution: Resolution) =>
    beganAt === -Infinity || beganAt % bucketMillis[resolution] === 0
  const resolution = isAligned("day") ? "day" : "hour"
  const length = bucketMillis[resolution]
  return {
    resolution,
    from: Math.floor(from / length) * length,
    to,
    isExact: isAligned(resolution)
  }
}

/** The most important first. */
const toPairs = (buckets: ReadonlyArray<RollupBucket>) =>
  toSeries(buckets, Infinity).flatMap(({ total, value }) =>
    value === null ? [] : [{ second: fromPairValue(value)[1], measures: total }]
  )
