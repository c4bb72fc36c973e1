/**
 * Runs requests through plans, attempts and health on a virtual clock: the planner, the fold, the breaker and the rule of
 * second attempts are those that serve. Every run with the same input is the same to the last bit.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { computeCostAt } from "../../../engine/catalog/endpoint/computeCost.ts"
import { Health } from "../../../engine/health/Health.ts"
import type { Outcome } from "../../../engine/health/Outcome.ts"
import { Settings } from "../../../instance/Settings.ts"
import type { Candidate } from "../../../routing/Candidate.ts"
import {
  hasFallback,
  isContextExceeded,
  isExhausted
} from "../../../routing/attempt/attemptBudget.ts"
import { failureRules } from "../../../routing/attempt/failureRules.ts"
import { findHedgeTarget, Hedger } from "../../../routing/attempt/hedging/Hedger.ts"
import { takeCandidate } from "../../../routing/attempt/takeCandidate.ts"
import { toOutcome } from "../../../routing/attempt/toOutcome.ts"
import { makeRandom } from "../../../routing/plan/makeRandom.ts"
import { plan } from "../../../routing/plan/plan.ts"
import { ModelSlug } from "../../../values/ids/Ids.ts"
import * as NanoUsd from "../../../values/usage/NanoUsd.ts"
import type { TokenUsage } from "../../../values/usage/TokenUsage.ts"
import type { RecordedRequest } from "../recording/RecordedRequest.ts"
import { makeEventQueue } from "./EventQueue.ts"
import type {
  RequestRun,
  RunningCall,
  SimulatedAttempt,
  SimulatedRequest,
  SimulationInput,
  SimulationRun
} from "./SimulationRun.ts"
import type { SimulatedAnswer } from "./SimulatedAnswer.ts"
import { toRouteAttempt } from "./toRouteAttempt.ts"

export const runSimulation = (input: SimulationInput): SimulationRun => {
  const { answer, candidates, hedging, requests, seed, settings, strategy } = input
  const hedger =
    hedging === undefined ? undefined : new Hedger(hedging, settings.maxTrackedEndpoints)
  const clock = makeVirtualClock()
  const events = makeEventQueue()
  const health = Effect.runSync(
    Effect.provide(Health, Health.layer).pipe(
      Effect.provideService(Settings, settings),
      Effect.provideService(Clock.Clock, clock)
    )
  )
  const inFlight = new Map<string, number>()
  const attempts: Array<SimulatedAttempt> = []
  const results: Array<SimulatedRequest> = []
  const draw = makeRandom(seed)
  let cost: NanoUsd.NanoUsd | undefined = NanoUsd.zero

  const outcomeRules = { failureRules, totalTimeoutMillis: settings.totalTimeoutMillis }

  const countInFlight = (endpoint: string): number => inFlight.get(endpoint) ?? 0

  const begin = (request: RecordedRequest, index: number): void => {
    const { at, prompt_tokens: inputTokens } = request
    const result: SimulatedRequest = { at }
    results.push(result)
    // Drawn for every request, so that strategies are compared with the same draws.
    const planSeed = Math.floor(draw() * 4_294_967_296)
    const answerSeed = Math.floor(draw() * 4_294_967_296)
    const known = candidates.get(request.model) ?? []
    if (known.length === 0) return
    const planned = plan({
      models: [{ id: ModelSlug.make(request.model) }],
      candidates: known,
      preferences: {},
      constraints: [],
      // Like a chat without a maximum: the router does not know how long the answer gets.
      requirements: {
        parameters: [],
        inputTokens,
        outputTokens: 0,
        expectedOutputTokens: inputTokens
      },
      health: health.snapshot(
        known.map(({ id }) => id),
        strategy.readsLoad
      ),
      minSamples: settings.rankMinSamples,
      seed: planSeed,
      strategy
    })
    tryNext({
      request,
      index,
      result,
      plan: planned,
      ordered: planned.ordered,
      deadlineAt:
        at + (isStreamed(request) ? settings.totalTimeoutMillis : settings.chatTimeoutMillis),
      random: makeRandom(answerSeed),
      attempts: [],
      position: 0,
      unclaimed: undefined,
      running: new Set(),
      hedgeMillis:
        planned.ordered.length > 1 && isStreamed(request)
          ? hedger?.beginRequest(hedgingKind, request.model, at)
          : undefined,
      hedgedId: undefined,
      isStopped: false
    })
  }

  const isOpen = ({ attempts }: RequestRun, candidate: Candidate): boolean =>
    !isExhausted(settings, attempts, candidate) && !isContextExceeded(candidate, attempts)

  const tryNext = (run: RequestRun): void => {
    const now = clock.currentTimeMillisUnsafe()
    if (run.isStopped || now >= run.deadlineAt) return
    const candidate = takeCandidate(run, run.ordered, isOpen, health)
    if (candidate === undefined) return
    const isLast = !hasFallback(settings, run.attempts, run.ordered, run.position - 1)
    const running = start(run, candidate, isLast, false)
    if (run.hedgeMillis === undefined) return
    events.schedule(now + run.hedgeMillis, () => startHedge(run, running))
  }

  /** Like the attempt engine: starts a second attempt beside one that has not begun to answer. */
  const startHedge = (run: RequestRun, first: RunningCall): void => {
    const { ordered } = run
    if (hedger === undefined || run.hedgeMillis === undefined) return
    if (!run.running.has(first) || run.isStopped) return
    const tried = [...run.attempts, { candidate: first.candidate }]
    const target = findHedgeTarget(
      run.plan,
      first.candidate,
      (candidate) =>
        !run.attempts.some((attempted) => attempted.candidate.id === candidate.id) &&
        isOpen(run, candidate) &&
        !isExhausted(settings, tried, candidate),
      health.snapshot(
        ordered.map(({ id }) => id),
        true
      ),
      settings.rankMinSamples
    )
    if (target === undefined || !hedger.budget.take()) return
    if (!health.claim(target.id)) return hedger.budget.giveBack()
    run.hedgeMillis = undefined
    run.hedgedId = target.id
    start(run, target, first.isLast, true)
  }

  const start = (
    run: RequestRun,
    candidate: Candidate,
    isLast: boolean,
    isHedge: boolean
  ): RunningCall => {
    const startedAt = clock.currentTimeMillisUnsafe()
    const { id: endpoint } = candidate.endpoint
    const { index, random, request } = run
    const running: RunningCall = { candidate, startedAt, isLast, isHedge }
    run.running.add(running)
    const others = countInFlight(endpoint)
    inFlight.set(endpoint, others + 1)
    health.begin(candidate.id)
    const answered = answer({ endpoint, at: startedAt, inFlight: others, request, index, random })
    const remaining = run.deadlineAt - startedAt
    // While a fallback is possible, half of the remaining time is kept for it.
    const timeout = isLast ? remaining : Math.ceil(remaining / 2)
    const { firstMillis, wholeMillis } = answered
    const isCutOff = (firstMillis ?? wholeMillis) > timeout
    if (!isCutOff && firstMillis !== undefined) {
      events.schedule(startedAt + firstMillis, () => commit(run, running))
    }
    events.schedule(startedAt + (isCutOff ? timeout : wholeMillis), () => {
      finish(run, running, isCutOff ? undefined : answered)
    })
    return running
  }

  const record = ({ endpoint }: Candidate, outcome: Outcome): void => {
    health.record(outcome)
    hedger?.record(hedgingKind, endpoint.model, outcome)
  }

  /** The first event of a stream came: no other candidate is tried after it. */
  const commit = (run: RequestRun, running: RunningCall): void => {
    if (!run.running.has(running)) return
    const { candidate, startedAt } = running
    const at = clock.currentTimeMillisUnsafe()
    cutOthers(run, running)
    run.isStopped = true
    run.result.answeredMillis = at - run.request.at
    record(candidate, {
      endpoint: candidate.id,
      startedAt,
      at,
      result: "first_event",
      latencyMillis: at - startedAt
    })
  }

  /** Another attempt answers, or shows that none can. The provider is paid for the prompt. */
  const cutOthers = (run: RequestRun, winner: RunningCall): void => {
    const { prompt_tokens: inputTokens } = run.request
    for (const running of run.running) {
      if (running === winner) continue
      const { candidate, isHedge, startedAt } = running
      const endedAt = release(run, running)
      const latencyMillis = endedAt - startedAt
      attempts.push({
        endpoint: candidate.endpoint.id,
        startedAt,
        endedAt,
        isAnswer: false,
        isHedge
      })
      const lost = {
        candidate,
        chargedAt: startedAt,
        startedAt,
        latencyMillis,
        lost: true
      } as const
      record(candidate, toOutcome({ ...lost, abortReason: "interrupted" }, outcomeRules))
      charge(candidate, { inputTokens, outputTokens: 0 }, startedAt)
    }
  }

  /** When the attempt ended: now. */
  const release = (run: RequestRun, running: RunningCall): number => {
    const { candidate } = running
    run.running.delete(running)
    inFlight.set(candidate.endpoint.id, countInFlight(candidate.endpoint.id) - 1)
    health.end(candidate.id)
    return clock.currentTimeMillisUnsafe()
  }

  const charge = (candidate: Candidate, usage: TokenUsage, startedAt: number): void => {
    if (cost === undefined) return
    const charged = computeCostAt(candidate.price, usage, startedAt)
    cost = charged === undefined ? undefined : NanoUsd.sum(cost, charged)
  }

  /** Without an answer, the attempt was cut off. */
  const finish = (
    run: RequestRun,
    running: RunningCall,
    answered: SimulatedAnswer | undefined
  ): void => {
    if (!run.running.has(running)) return
    const { candidate, isHedge, startedAt } = running
    const now = release(run, running)
    const { id: endpoint } = candidate.endpoint
    const attempted = toRouteAttempt(run.request, running, now, answered)
    const { failure } = attempted
    const isAnswer = failure === undefined
    attempts.push({ endpoint, startedAt, endedAt: now, isAnswer, isHedge })
    record(candidate, toOutcome(attempted, outcomeRules))
    if (failure !== undefined) {
      run.attempts.push(attempted)
      // A stream that broke off is no answer.
      delete run.result.answeredMillis
      run.isStopped ||= !failureRules[failure.kind].fallback
      if (run.isStopped) cutOthers(run, running)
      if (run.running.size === 0) tryNext(run)
      return
    }
    cutOthers(run, running)
    run.result.answeredMillis ??= now - run.request.at
    if (attempted.usage !== undefined) charge(candidate, attempted.usage, startedAt)
  }

  let next = 0
  for (;;) {
    const arrivesAt = requests[next]?.at ?? Number.POSITIVE_INFINITY
    // An event at the arrival time of a request comes before the request.
    if (events.nextAt() <= arrivesAt) {
      const at = events.nextAt()
      const happen = events.take()
      if (happen === undefined) break
      clock.set(at)
      happen()
    } else {
      clock.set(arrivesAt)
      begin(requests[next]!, next)
      next += 1
    }
  }
  return { requests: results, attempts, cost }
}

/** Only streams are simulated with second attempts. */
const hedgingKind = "chat stream"

const isStreamed = ({ attempts }: RecordedRequest): boolean =>
  attempts.some(({ first_ms }) => first_ms !== undefined)

interface VirtualClock extends Clock.Clock {
  /** Sets the time, in milliseconds since the epoch. */
  readonly set: (at: number) => void
}

/** A clock that shows the time of a simulation. Nothing can wait on it. */
export const makeVirtualClock = (): VirtualClock => {
  let now = 0
  const toNanos = () => BigInt(Math.round(now * 1_000_000))
  return {
    set: (at) => {
      now = at
    },
    currentTimeMillisUnsafe: () => now,
    currentTimeMillis: Effect.sync(() => now),
    currentTimeNanosUnsafe: toNanos,
    currentTimeNanos: Effect.sync(toNanos),
    monotonicTimeNanosUnsafe: toNanos,
    monotonicTimeNanos: Effect.sync(toNanos),
    sleep: () => Effect.die(new Error("a simulation has no timers"))
  }
}
