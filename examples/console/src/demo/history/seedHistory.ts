/** Gives an instance that is new a month of history, so that the console has a story to tell from the first minute on. */
import { setImmediate } from "node:timers/promises"
import type { Signalbox } from "@signalbox/core"
import {
  defaultAccountId,
  type Generation,
  GenerationStore,
  NanoUsd,
  RollupStore,
  SpendCounters,
  UserId
} from "@signalbox/core/stores"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { customer, research, type TrafficKey } from "../traffic/openAccount.ts"
import { seedCanary } from "./seedCanary.ts"
import { seedIncidents } from "./seedIncidents.ts"
import {
  listCountedHours,
  listOutages,
  listPastTimes,
  makeDraw,
  makePastRequest
} from "./pastRequests.ts"

/** How much of their budgets is used in the end. */
const usedShare = { customer: 0.92, research: 0.8 }
const batchSize = 100

interface PastRequest {
  readonly key: TrafficKey
  readonly generation: Generation
}

/** Whether the instance was new: nothing is made up where there are records already. */
export const seedHistory = async (
  instance: Pick<Signalbox, "context" | "experiments" | "keys" | "workspaces">,
  keys: ReadonlyArray<TrafficKey>,
  now: number
): Promise<boolean> => {
  const store = Context.get(instance.context, GenerationStore)
  const rollups = Context.get(instance.context, RollupStore)
  const counters = Context.get(instance.context, SpendCounters)
  const { rows } = await Effect.runPromise(store.list({ account: defaultAccountId }, { limit: 1 }))
  if (rows.length > 0) return false
  const draw = makeDraw(7)
  const outages = listOutages(now)
  const makeAt = (at: number): ReadonlyArray<PastRequest> => {
    const key = pickKey(keys, draw())
    return key === undefined ? [] : [{ key, generation: makePastRequest(at, key, draw, outages) }]
  }
  const count = async (past: ReadonlyArray<PastRequest>): Promise<void> => {
    for (const [key, requests] of Map.groupBy(past, ({ key }) => key)) {
      const at = requests[0]!.generation.startedAt
      await Effect.runPromise(counters.record(toSpender(key), sumCosts(requests), false, at))
    }
  }
  for (const { at, requests } of listCountedHours(now)) {
    const past = Array.from({ length: requests }, () => makeAt(at)).flat()
    await Effect.runPromise(rollups.add(past.map(({ generation }) => generation)))
    await count(past)
    // Callers are served meanwhile.
    await setImmediate()
  }
  const past = listPastTimes(now).flatMap(makeAt)
  for (let from = 0; from < past.length; from += batchSize) {
    const batch = past.slice(from, from + batchSize)
    await Effect.runPromise(store.record(batch.map(({ generation }) => generation)))
    await count(batch)
  }
  await seedIncidents(instance, outages, now)
  await seedCanary(instance, now)
  await setBudgets(instance)
  return true
}

const pickKey = (keys: ReadonlyArray<TrafficKey>, drawn: number): TrafficKey | undefined => {
  let left = drawn * keys.reduce((sum, { weight }) => sum + weight, 0)
  return keys.find(({ weight }) => (left -= weight) < 0) ?? keys.at(-1)
}

const toSpender = ({ hash, user, workspace }: TrafficKey) => ({
  account: defaultAccountId,
  workspace,
  keyHash: hash,
  ...(user === undefined ? undefined : { user: UserId.make(user) })
})

const sumCosts = (past: ReadonlyArray<PastRequest>): NanoUsd.NanoUsd =>
  past.reduce(
    (sum, { generation: { cost = NanoUsd.zero } }) => NanoUsd.sum(sum, cost),
    NanoUsd.zero
  )

const setBudgets = async ({
  keys,
  workspaces
}: Pick<Signalbox, "keys" | "workspaces">): Promise<void> => {
  const { data: used } = await keys.list({})
  const setBudget = async (
    { slug }: { readonly slug: string },
    interval: "daily" | "lifetime",
    share: number
  ): Promise<void> => {
    const { data: workspace } = await workspaces.get({ id: slug })
    const spent = used
      .filter((key) => key.workspace_id === workspace.id)
      .reduce(
        (sum, { usage, usage_daily }) => sum + (interval === "daily" ? usage_daily : usage),
        0
      )
    await workspaces.setBudget({
      workspace_ref: slug,
      interval,
      // Just after midnight there is little.
      limit_usd: Number(Math.max(1, spent / share).toFixed(2))
    })
  }
  await setBudget(customer, "lifetime", usedShare.customer)
  await setBudget(research, "daily", usedShare.research)
}
