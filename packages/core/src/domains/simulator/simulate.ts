/** Replays recorded traffic under another strategy. */
import * as Endpoint from "../../engine/catalog/endpoint/Endpoint.ts"
import * as Candidate from "../../routing/Candidate.ts"
import type { HedgingOptions } from "../../routing/attempt/hedging/Hedger.ts"
import type { Strategy } from "../../routing/plan/strategies/strategies.ts"
import { make as makeSettings, type SettingsShape } from "../../instance/Settings.ts"
import { ModelSlug } from "../../values/ids/Ids.ts"
import type { AnswerCall } from "./engine/SimulationRun.ts"
import { runSimulation } from "./engine/runSimulation.ts"
import { makeRecordedAnswers, type RecordedAnswers } from "./recording/RecordedAnswers.ts"
import type { RecordedRequest } from "./recording/RecordedRequest.ts"
import { resolveRecording } from "./recording/resolveRecording.ts"
import { computeLatencyFigures, getQuantile } from "./report/computeLatencyFigures.ts"
import type { Extrapolation, LoadFigures, SimulationReport } from "./SimulationReport.ts"

/** A model of a simulation: the part of a `ModelConfig` that a plan needs. */
export interface SimulatedModel {
  readonly id: string
  readonly endpoints: ReadonlyArray<Endpoint.EndpointConfig>
}

/** What is simulated. */
export interface SimulateOptions {
  /** The traffic, as `signalbox.recording()` gives it, in any order. */
  readonly recording: Iterable<RecordedRequest>
  /** The models with their endpoints and prices; requests for others are left out. */
  readonly models: ReadonlyArray<SimulatedModel>
  /** Such as `priceWeighted` or `leastLatency()`. */
  readonly strategy: Strategy
  /** Starts second attempts as `Options.hedging` does, such as `{}`; default: false, never. */
  readonly hedging?: HedgingOptions | false
  /** An integer from which all draws follow; default: 0. The same seed repeats a run to the last bit. */
  readonly seed?: number
  /** How far away in time a recorded answer may be, in milliseconds; default: 30,000. */
  readonly windowMillis?: number
  /** Settings of the instance that differ from the defaults, such as `maxAttempts`. */
  readonly settings?: Partial<SettingsShape>
  /** Answers calls in place of the recording, such as from known outcomes. Nothing is extrapolated then. */
  readonly answer?: AnswerCall
}

/**
 * What `strategy` would have done with the recorded requests: the planner, health and circuit breakers that serve, on a
 * virtual clock. A call of an endpoint gets one of the 24 answers recorded there nearest in time, with its length scaled to
 * the tokens of the request. Throws a `RangeError` when an endpoint is invalid or nothing is left to replay.
 */
export const simulate = ({
  answer,
  hedging = false,
  models,
  recording,
  seed = 0,
  settings,
  strategy,
  windowMillis = 30_000
}: SimulateOptions): SimulationReport => {
  if (!Number.isSafeInteger(seed)) throw new RangeError(`the seed must be an integer, got ${seed}`)
  if (!(windowMillis >= 0)) {
    throw new RangeError(`the window must be milliseconds from 0, got ${windowMillis}`)
  }
  const { requests, skipped } = resolveRecording(recording, new Set(models.map(({ id }) => id)))
  const recorded = makeRecordedAnswers(requests, windowMillis)
  const isKnown = ({ id }: Candidate.Candidate): boolean =>
    answer !== undefined || recorded.endpoints.has(id)
  const all = models.map((model) => [model.id, toCandidates(model)] as const)
  const candidates = new Map(all.map(([id, some]) => [id, some.filter(isKnown)]))
  const served = requests.filter(({ model }) => (candidates.get(model)?.length ?? 0) > 0)
  const first = served[0]
  const last = served.at(-1)
  if (first === undefined || last === undefined) {
    throw new RangeError(
      `nothing to replay: the recording has no attempt at an endpoint of ${models.map(({ id }) => id).join(", ") || "any model"}`
    )
  }
  const run = runSimulation({
    requests: served,
    candidates,
    answer: answer ?? recorded.answer,
    strategy,
    hedging: hedging === false ? undefined : hedging,
    seed,
    settings: makeSettings(settings ?? {})
  })
  const millis = last.at - first.at
  const load = toLoadByEndpoint(
    computeLoad(served.flatMap(toTimedAttempts), millis),
    computeLoad(run.attempts, millis)
  )
  const calls = Map.groupBy(run.attempts, ({ endpoint }) => endpoint)
  const hedges = run.attempts.filter(({ isHedge }) => isHedge)
  const callCounts = Array.from(calls, ([endpoint, some]) => [endpoint, some.length] as const)
  return {
    ...computeLatencyFigures(run.requests),
    name: hedging === false ? strategy.name : `${strategy.name}, hedged`,
    seed,
    windowMillis,
    ...(run.cost === undefined ? undefined : { cost: run.cost }),
    attempts: run.attempts.length,
    shares: Object.fromEntries(
      callCounts.map(([endpoint, count]) => [endpoint, count / run.attempts.length])
    ),
    hedges: hedges.length,
    hedgeWins: hedges.filter(({ isAnswer }) => isAnswer).length,
    load,
    extrapolates:
      answer === undefined ? listExtrapolations(new Map(callCounts), load, recorded) : [],
    unrecorded: all.flatMap(([, some]) =>
      some.filter((candidate) => !isKnown(candidate)).map(({ id }) => id)
    ),
    skipped: skipped + requests.length - served.length
  }
}

const toCandidates = ({ endpoints, id }: SimulatedModel): ReadonlyArray<Candidate.Candidate> =>
  endpoints.map((config) =>
    Candidate.make({
      endpoint: Endpoint.make(ModelSlug.make(id), config),
      providerName: config.provider,
      distillable: true
    })
  )

const toTimedAttempts = ({ attempts }: RecordedRequest) =>
  attempts.map(({ at, endpoint, whole_ms }) => ({
    endpoint,
    startedAt: at,
    endedAt: at + whole_ms
  }))

const idle: LoadFigures = { mean: 0, p99: 0 }

const toLoadByEndpoint = (
  recorded: ReadonlyMap<string, LoadFigures>,
  simulated: ReadonlyMap<string, LoadFigures>
): SimulationReport["load"] =>
  Object.fromEntries(
    Array.from(new Set([...recorded.keys(), ...simulated.keys()]), (endpoint) => [
      endpoint,
      { recorded: recorded.get(endpoint) ?? idle, simulated: simulated.get(endpoint) ?? idle }
    ])
  )

/** Fewer calls say nothing about the load of an endpoint. */
const minCalls = 20
/** Compares the 99th percentile: queues form at the busiest moments, not at the mean load. */
const maxLoadRatio = 2
const maxUnrecordedShare = 0.05

const listExtrapolations = (
  calls: ReadonlyMap<string, number>,
  load: SimulationReport["load"],
  { unrecordedCalls }: RecordedAnswers
): ReadonlyArray<Extrapolation> =>
  Array.from(calls).flatMap(([endpoint, count]): ReadonlyArray<Extrapolation> => {
    if (count < minCalls) return []
    const { recorded, simulated } = load[endpoint]!
    const unrecordedShare = (unrecordedCalls.get(endpoint) ?? 0) / count
    return [
      ...(simulated.p99 > maxLoadRatio * recorded.p99
        ? [{ endpoint, reason: "load" as const, recorded: recorded.p99, simulated: simulated.p99 }]
        : []),
      ...(unrecordedShare > maxUnrecordedShare
        ? [{ endpoint, reason: "time" as const, recorded: 1 - unrecordedShare, simulated: 1 }]
        : [])
    ]
  })

interface TimedAttempt {
  readonly endpoint: string
  /** In milliseconds since the epoch. */
  readonly startedAt: number
  readonly endedAt: number
}

/** How many requests are under way at each endpoint, by its id, over `millis` milliseconds. */
const computeLoad = (
  attempts: ReadonlyArray<TimedAttempt>,
  millis: number
): ReadonlyMap<string, LoadFigures> =>
  new Map(
    Array.from(
      Map.groupBy(attempts, ({ endpoint }) => endpoint),
      ([endpoint, some]) => {
        const spent = some.reduce((sum, { endedAt, startedAt }) => sum + endedAt - startedAt, 0)
        const mean = millis > 0 ? spent / millis : 0
        return [endpoint, { mean, p99: getQuantile(listFound(some), 0.99) }]
      }
    )
  )

/** How many each attempt found under way, itself included, sorted. */
const listFound = (attempts: ReadonlyArray<TimedAttempt>): ReadonlyArray<number> => {
  const starts = attempts.map(({ startedAt }) => startedAt).toSorted((one, other) => one - other)
  const ends = attempts.map(({ endedAt }) => endedAt).toSorted((one, other) => one - other)
  let ended = 0
  return starts
    .map((at, index) => {
      while (ended < ends.length && ends[ended]! <= at) ended += 1
      return Math.max(1, index + 1 - ended)
    })
    .toSorted((one, other) => one - other)
}
