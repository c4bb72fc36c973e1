/** Requests of the last thirty days, as the demo traffic would have sent them: made up, the same at each start. */
import {
  defaultAccountId,
  type Generation,
  type GenerationAttempt,
  GenerationId,
  NanoUsd
} from "@signalbox/core/stores"
import { computeRate } from "../traffic/computeRate.ts"
import type { TrafficKey } from "../traffic/openAccount.ts"
import { providerNames, type TrafficModel, trafficModels } from "../traffic/trafficModels.ts"

/** In [0, 1). */
type Draw = () => number

const hour = 3_600_000

/** Times of the requests that lists show: all of the last hour, and some of the month before. */
export const listPastTimes = (now: number): ReadonlyArray<number> => {
  const lastHour = spread(now - hour, now, 60).flatMap((minute) =>
    spread(minute, minute + 60_000, Math.round(60 * computeRate(minute)))
  )
  const today = spread(now - 24 * hour, now - hour, 900)
  const before = spread(now - 30 * 24 * hour, now - 24 * hour, 1_000)
  return [...before, ...today, ...lastHour]
}

interface CountedHour {
  /** A time in the middle of it, in milliseconds since the epoch. */
  readonly at: number
  readonly requests: number
}

/** The hours of the month before the last one, whose requests are in figures and charts only. */
export const listCountedHours = (now: number): ReadonlyArray<CountedHour> =>
  Array.from({ length: 30 * 24 - 1 }, (_, index) => {
    const hoursAgo = 30 * 24 - index - 0.5
    // Nights are quiet, and two days ago the application was opened to everyone.
    const day = 0.6 + 0.4 * Math.cos((2 * Math.PI * hoursAgo) / 24)
    const growth = hoursAgo < 48 ? 1 - 0.005 * hoursAgo : 0.03
    return { at: now - hoursAgo * hour, requests: Math.round(3_600 * day * growth) }
  })

const spread = (from: number, to: number, count: number): ReadonlyArray<number> =>
  Array.from({ length: count }, (_, index) => Math.floor(from + ((to - from) * index) / count))

/** Numbers that look random, and are the same for the same seed. */
export const makeDraw = (seed: number): Draw => {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Times are in milliseconds since the epoch. */
export interface Outage {
  readonly provider: string
  readonly from: number
  readonly to: number
}

/** One that began an hour ago and lasts, and one of last week. */
export const listOutages = (now: number): ReadonlyArray<Outage> => [
  { provider: "demo-driftwood", from: now - hour, to: Infinity },
  { provider: "demo-northwind", from: now - 201 * hour, to: now - 199 * hour }
]

/** The request of `key` at `at`, in milliseconds since the epoch. */
export const makePastRequest = (
  at: number,
  key: TrafficKey,
  draw: Draw,
  outages: ReadonlyArray<Outage>
): Generation => {
  const model = pick(trafficModels, draw)
  // Customers send whole documents.
  const longest = key.user === undefined ? 30_000 : 900
  const inputTokens = Math.round(40 + longest * draw() ** 3)
  const outputTokens = model.operation === "embeddings" ? 0 : Math.round(40 + 460 * draw())
  const usage = { inputTokens, outputTokens }
  const attempts: Array<GenerationAttempt> = []
  for (const { completion, prompt, provider } of model.endpoints) {
    const isDown = outages.some(
      (outage) => outage.provider === provider && at >= outage.from && at < outage.to
    )
    // While its breaker is open, few requests are tried there.
    if (isDown && draw() < 0.9) continue
    const name = providerNames[provider] ?? provider
    const endpoint = `${model.id}@${provider}`
    if (isDown || draw() < 0.01) {
      const latencyMillis = Math.round(100 + 150 * draw())
      attempts.push({ endpoint, provider: name, outcome: "overloaded", status: 503, latencyMillis })
      continue
    }
    const firstEventMillis = Math.round(200 + 500 * draw() ** 2)
    attempts.push({
      endpoint,
      provider: name,
      outcome: "served",
      latencyMillis: firstEventMillis + Math.round(outputTokens * (6 + 8 * draw())),
      firstEventMillis,
      usage,
      cost: NanoUsd.fromUsdNumber(inputTokens * Number(prompt) + outputTokens * Number(completion))
    })
    break
  }
  const last = attempts.at(-1)
  const served = last?.outcome === "served" ? last : undefined
  return {
    id: GenerationId.make(`gen-past-${at}`),
    account: defaultAccountId,
    workspace: key.workspace,
    keyHash: key.hash,
    ...(key.user === undefined ? undefined : { user: key.user }),
    externalUser: `customer ${1 + Math.floor(draw() * 7)}`,
    // Each ticket was worked on for some minutes.
    ...(model.operation === "chat"
      ? { session: `ticket ${Math.floor(at / 300_000) % 10_000}` }
      : undefined),
    operation: model.operation,
    startedAt: at,
    latencyMillis: attempts.reduce((sum, { latencyMillis }) => sum + latencyMillis, 0),
    requestedModel: model.id,
    attempts,
    configuration: 1,
    rejected: [],
    demoted: [],
    ...(served === undefined
      ? { error: "AttemptsFailed" }
      : {
          model: model.id,
          provider: served.provider,
          usage,
          ...(served.cost === undefined ? undefined : { cost: served.cost })
        })
  }
}

const pick = (models: ReadonlyArray<TrafficModel>, draw: Draw): TrafficModel => {
  const found = models[Math.floor(models.length * draw() ** 2)] ?? models[0]
  if (found === undefined) throw new RangeError("the demo has no models")
  return found
}
