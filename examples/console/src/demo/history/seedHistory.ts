/** Gives an instance that is new a month of history, so that the console has a story to tell from the first minute on. */
import type { Signalbox } from "@signalbox/core"
import {
  defaultAccountId,
  type Generation,
  GenerationStore,
  NanoUsd,
  SpendCounters,
  UserId
} from "@signalbox/core/stores"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { customer, type TrafficKey } from "../traffic/openAccount.ts"
import { seedCanary } from "./seedCanary.ts"
import { seedIncidents } from "./seedIncidents.ts"
import { listOutages, listPastTimes, makeDraw, makePastRequest } from "./pastRequests.ts"

/** What a customer has used of its budget. */
const spentShare = 0.92
const batchSize = 100

/** Whether the instance was new: nothing is made up where there are records already. */
export const seedHistory = async (
  instance: Pick<Signalbox, "context" | "experiments" | "workspaces">,
  keys: ReadonlyArray<TrafficKey>,
  now: number
): Promise<boolean> => {
  const store = Context.get(instance.context, GenerationStore)
  const counters = Context.get(instance.context, SpendCounters)
  const { rows } = await Effect.runPromise(store.list({ account: defaultAccountId }, { limit: 1 }))
  if (rows.length > 0) return false
  const draw = makeDraw(7)
  const outages = listOutages(now)
  const past = listPastTimes(now).flatMap((at) => {
    const key = pickKey(keys, draw())
    return key === undefined ? [] : [{ key, generation: makePastRequest(at, key, draw, outages) }]
  })
  for (let from = 0; from < past.length; from += batchSize) {
    const batch = past.slice(from, from + batchSize)
    await Effect.runPromise(store.record(batch.map(({ generation }) => generation)))
    for (const { generation, key } of batch) {
      const { cost = NanoUsd.zero, startedAt } = generation
      await Effect.runPromise(counters.record(toSpender(key), cost, false, startedAt))
    }
  }
  await seedIncidents(instance, outages, now)
  await seedCanary(instance, now)
  await setCustomerBudget(instance, past)
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

const setCustomerBudget = async (
  { workspaces }: Pick<Signalbox, "workspaces">,
  past: ReadonlyArray<{ readonly key: TrafficKey; readonly generation: Generation }>
): Promise<void> => {
  const spent = past
    .filter(({ key }) => key.user === undefined)
    .reduce((sum, { generation: { cost = NanoUsd.zero } }) => NanoUsd.sum(sum, cost), NanoUsd.zero)
  await workspaces.setBudget({
    workspace_ref: customer.slug,
    interval: "lifetime",
    limit_usd: Number((NanoUsd.toUsdNumber(spent) / spentShare).toFixed(2))
  })
}
