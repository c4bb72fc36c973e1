/**
 * Runs requests through plans, attempts and health on a virtual clock: the planner, the fold, the breaker and the rule of
 * second attempts are those that serve. Every run with the same input is the same to the last bit.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { computeCostAt } from "../../../engine/catalog/endpoint/computeCost.ts"
import { Health } from "../../../engine/health/Health.ts"
import type { HealthSnapshot } from "../../../engine/health/HealthSnapshot.ts"
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
import { FirstEventTimes } from "../../../routing/attempt/lateness/FirstEventTimes.ts"
import { getSuspectMillis } from "../../../routing/attempt/lateness/getSuspectMillis.ts"
import { takeCandidate } from "../../../routing/attempt/takeCandidate.ts"
import { toOutcome } from "../../../routing/attempt/toOutcome.ts"
import { makeRandom } from "../../../routing/plan/makeRandom.ts"
import { plan } from "../../../routing/plan/plan.ts"
import { ModelSlug } from "../../../values/ids/Ids.ts"
import * as NanoUsd from "../../../values/usage/NanoUsd.ts"
import type { TokenUsage } from "../../../values/usage/TokenUsage.ts"
import { isStreamed, type RecordedRequest } from "../recording/RecordedRequest.ts"
import { makeEventQueue } from "./EventQueue.ts"
import type {
  RequestRun,
  RunningCall,
  SimulatedAnswer,
  SimulatedAttempt,
  SimulatedRequest,
  SimulationInput,
  SimulationRun
} from "./SimulationRun.ts"
import { toRouteAttempt } from "./toRouteAttempt.ts"
import { makeVirtualClock } from "./VirtualClock.ts"

export const runSimulation = (input: SimulationInput): SimulationRun => {
  const simulation = startSimulation(input)
  while (simulation.step()) continue
  return simulation.run
}

interface Simulation {
  /** Lets the next thing happen, and the time pass until then. False: nothing is left. */
  readonly step: () => boolean
  /** What has come of the requests so far. */
  readonly run: SimulationRun
}

/** For a caller that has other work between the steps. */
export const startSimulation = (input: SimulationInput): Simulation => {
  const { answer, candidates, controls, hedging, requests, seed, settings, strategy } = input
  const firstEventTimes = new FirstEventTimes(settings.maxTrackedEndpoints)
  const hedger = hedging === undefined ? undefined : new Hedger(hedging, firstEventTimes)
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

  const withControls = (snapshot: HealthSnapshot): HealthSnapshot =>
    controls === undefined ? snapshot : { ...snapshot, controls }

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
      health: withControls(
        health.snapshot(
          known.map(({ id }) => id),
          strategy.readsLoad
        )
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
          ? hedger?.beginRequest(toLatencyKind(request), request.model, at)
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
    const running: RunningCall = { candidate, startedAt, isLast, isHedge, isSuspected: false }
    run.running.add(running)
    const others = countInFlight(endpoint)
    inFlight.set(endpoint, others + 1)
    health.begin(candidate.id)
    const answered = answer({ endpoint, at: startedAt, inFlight: others, request, index, random })
    const remaining = run.deadlineAt - startedAt
    // While a fallback is possible, half of the remaining time is kept for it.
    const timeout = isLast ? remaining : Math.ceil(remaining / 2)
    const { firstMillis, wholeMillis } = answered
    const suspectMillis = getSuspectMillis(
      firstEventTimes.getP99(toLatencyKind(request), candidate, health.time.now()),
      request.prompt_tokens,
      settings.suspectMinMillis
    )
    if (suspectMillis < Math.min(firstMillis ?? wholeMillis, timeout)) {
      events.schedule(startedAt + suspectMillis, () => suspect(run, running))
    }
    const isCutOff = (firstMillis ?? wholeMillis) > timeout
    if (!isCutOff && firstMillis !== undefined) {
      events.schedule(startedAt + firstMillis, () => commit(run, running))
    }
    events.schedule(startedAt + (isCutOff ? timeout : wholeMillis), () => {
      finish(run, running, isCutOff ? undefined : answered)
    })
    return running
  }

  const record = (request: RecordedRequest, candidate: Candidate, outcome: Outcome): void => {
    health.record(outcome)
    firstEventTimes.record(toLatencyKind(request), candidate, outcome)
  }

  const suspect = (run: RequestRun, running: RunningCall): void => {
    if (!run.running.has(running)) return
    running.isSuspected = true
    health.suspect(running.candidate.id)
  }

  const endSuspicion = (running: RunningCall): void => {
    if (!running.isSuspected) return
    running.isSuspected = false
    health.endSuspicion(running.candidate.id)
  }

  /** The first event of a stream came: no other candidate is tried after it. */
  const commit = (run: RequestRun, running: RunningCall): void => {
    if (!run.running.has(running)) return
    const { candidate, startedAt } = running
    const at = clock.currentTimeMillisUnsafe()
    cutOthers(run, running)
    run.isStopped = true
    run.result.answeredMillis = at - run.request.at
    endSuspicion(running)
    record(run.request, candidate, {
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
      record(
        run.request,
        candidate,
        toOutcome({ ...lost, abortReason: "interrupted" }, outcomeRules)
      )
      charge(candidate, { inputTokens, outputTokens: 0 }, startedAt)
    }
  }

  /** When the attempt ended: now. */
  const release = (run: RequestRun, running: RunningCall): number => {
    const { candidate } = running
    endSuspicion(running)
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
    record(run.request, candidate, toOutcome(attempted, outcomeRules))
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
  const step = (): boolean => {
    const arrivesAt = requests[next]?.at ?? Number.POSITIVE_INFINITY
    // An event at the arrival time of a request comes before the request.
    if (events.nextAt() <= arrivesAt) {
      const at = events.nextAt()
      const happen = events.take()
      if (happen === undefined) return false
      clock.set(at)
      happen()
    } else {
      clock.set(arrivesAt)
      begin(requests[next]!, next)
      next += 1
    }
    return true
  }

  return {
    step,
    get run() {
      return { requests: results, attempts, cost }
    }
  }
}

const toLatencyKind = (request: RecordedRequest): string =>
  isStreamed(request) ? "chat stream" : "chat"
