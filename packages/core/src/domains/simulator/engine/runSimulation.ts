/**
 * Runs requests through plans, attempts and health on a virtual clock: the planner, the fold, the breaker and the rule of
 * second attempts are those that serve. Every run with the same input is the same to the last bit.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { computeCostAt } from "../../../engine/catalog/endpoint/computeCost.ts"
import { Health } from "../../../engine/health/Health.ts"
import type { Outcome } from "../../../engine/health/Outcome.ts"
import { type Candidate } from "../../../routing/Candidate.ts"
import {
  hasFallback,
  isContextExceeded,
  isExhausted
} from "../../../routing/attempt/attemptBudget.ts"
import { failureRules } from "../../../routing/attempt/failureRules.ts"
import {
  Hedger,
  type HedgingOptions,
  findHedgeTarget
} from "../../../routing/attempt/hedging/Hedger.ts"
import type { RouteAttempt } from "../../../routing/attempt/RouteAttempt.ts"
import { toOutcome } from "../../../routing/attempt/toOutcome.ts"
import { makeRandom } from "../../../routing/plan/makeRandom.ts"
import { type Plan, plan } from "../../../routing/plan/plan.ts"
import type { Strategy } from "../../../routing/plan/strategies/strategies.ts"
import { Settings, type SettingsShape } from "../../../instance/Settings.ts"
import { classifyResponse } from "../../../engine/upstreams/failures/toResponseFailure.ts"
import { UpstreamFailure } from "../../../engine/upstreams/failures/UpstreamFailure.ts"
import { ModelSlug } from "../../../values/ids/Ids.ts"
import * as NanoUsd from "../../../values/usage/NanoUsd.ts"
import type { TokenUsage } from "../../../values/usage/TokenUsage.ts"
import type { RecordedRequest } from "../recording/RecordedRequest.ts"
import { makeEventQueue } from "./EventQueue.ts"
import { type AnswerCall, type SimulatedAnswer, makeVirtualClock } from "./VirtualClock.ts"

export interface SimulationInput {
  /** In the order in which they came. */
  readonly requests: ReadonlyArray<RecordedRequest>
  /** The candidates of each model. A request for another model fails. */
  readonly candidates: ReadonlyMap<string, ReadonlyArray<Candidate>>
  readonly answer: AnswerCall
  readonly strategy: Strategy
  /** Absent: no request has two attempts at once. */
  readonly hedging?: HedgingOptions | undefined
  /** Draws of plans and answers follow from it. */
  readonly seed: number
  readonly settings: SettingsShape
}

/** The outcome of a request. */
interface SimulatedRequest {
  /** When it came, in milliseconds since the epoch. */
  readonly at: number
  /** Milliseconds from the request to the first event of its answer, or to its answer; absent: none came. */
  answeredMillis?: number
}

/** One attempt. Times are in milliseconds since the epoch. */
interface SimulatedAttempt {
  readonly endpoint: string
  readonly startedAt: number
  readonly endedAt: number
  readonly isAnswer: boolean
  /** Whether it was started beside another one. */
  readonly isHedge: boolean
}

export interface SimulationRun {
  /** In the order of the requests. */
  readonly requests: ReadonlyArray<SimulatedRequest>
  /** In the order in which they ended. */
  readonly attempts: ReadonlyArray<SimulatedAttempt>
  /** The cost of all answers, and of the prompts of attempts that were cut off for another one; undefined when a price is unknown. */
  readonly cost: NanoUsd.NanoUsd | undefined
}

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

  /** Like the attempt engine: a candidate whose breaker blocks it is only tried when no other was. */
  const takeCandidate = (walk: Walk): Candidate | undefined => {
    const { ordered } = walk
    if (walk.isStopped) return undefined
    while (walk.position < ordered.length) {
      const candidate = ordered[walk.position++]!
      if (candidate.id === walk.hedgedId || !isOpen(walk, candidate)) continue
      if (health.claim(candidate.id)) return candidate
      walk.unclaimed ??= candidate
    }
    const forced = walk.attempts.length === 0 ? walk.unclaimed : undefined
    walk.unclaimed = undefined
    return forced
  }

  const isOpen = ({ attempts }: Walk, candidate: Candidate): boolean =>
    !isExhausted(settings, attempts, candidate) && !isContextExceeded(candidate, attempts)

  const tryNext = (walk: Walk): void => {
    const now = clock.currentTimeMillisUnsafe()
    const candidate = now < walk.deadlineAt ? takeCandidate(walk) : undefined
    if (candidate === undefined) return
    const isLast = !hasFallback(settings, walk.attempts, walk.ordered, walk.position - 1)
    const running = start(walk, candidate, isLast, false)
    if (walk.hedgeMillis === undefined) return
    events.schedule(now + walk.hedgeMillis, () => startHedge(walk, running))
  }

  /** Like the attempt engine: starts a second attempt beside one that has not begun to answer. */
  const startHedge = (walk: Walk, first: RunningCall): void => {
    const { ordered } = walk
    if (hedger === undefined || walk.hedgeMillis === undefined) return
    if (!walk.running.has(first) || walk.isStopped) return
    const tried = [...walk.attempts, { candidate: first.candidate }]
    const target = findHedgeTarget(
      walk.plan,
      first.candidate,
      (candidate) =>
        !walk.attempts.some((attempted) => attempted.candidate.id === candidate.id) &&
        isOpen(walk, candidate) &&
        !isExhausted(settings, tried, candidate),
      health.snapshot(
        ordered.map(({ id }) => id),
        true
      ),
      settings.rankMinSamples
    )
    if (target === undefined || !hedger.budget.take()) return
    if (!health.claim(target.id)) return hedger.budget.giveBack()
    walk.hedgeMillis = undefined
    walk.hedgedId = target.id
    start(walk, target, first.isLast, true)
  }

  const start = (
    walk: Walk,
    candidate: Candidate,
    isLast: boolean,
    isHedge: boolean
  ): RunningCall => {
    const startedAt = clock.currentTimeMillisUnsafe()
    const { id: endpoint } = candidate.endpoint
    const { index, random, request } = walk
    const running: RunningCall = { candidate, startedAt, isLast, isHedge }
    walk.running.add(running)
    const others = countInFlight(endpoint)
    inFlight.set(endpoint, others + 1)
    health.begin(candidate.id)
    const answered = answer({ endpoint, at: startedAt, inFlight: others, request, index, random })
    const remaining = walk.deadlineAt - startedAt
    // While a fallback is possible, half of the remaining time is kept for it.
    const timeout = isLast ? remaining : Math.ceil(remaining / 2)
    const { firstMillis, wholeMillis } = answered
    const isCutOff = (firstMillis ?? wholeMillis) > timeout
    if (!isCutOff && firstMillis !== undefined) {
      events.schedule(startedAt + firstMillis, () => commit(walk, running))
    }
    events.schedule(startedAt + (isCutOff ? timeout : wholeMillis), () => {
      finish(walk, running, isCutOff ? undefined : answered)
    })
    return running
  }

  const record = ({ endpoint }: Candidate, outcome: Outcome): void => {
    health.record(outcome)
    hedger?.record(hedgingKind, endpoint.model, outcome)
  }

  /** The first event of a stream came: no other candidate is tried after it. */
  const commit = (walk: Walk, running: RunningCall): void => {
    if (!walk.running.has(running)) return
    const { candidate, startedAt } = running
    const at = clock.currentTimeMillisUnsafe()
    cutOthers(walk, running)
    walk.isStopped = true
    walk.result.answeredMillis = at - walk.request.at
    record(candidate, {
      endpoint: candidate.id,
      startedAt,
      at,
      result: "first_event",
      latencyMillis: at - startedAt
    })
  }

  /** Another attempt answers, or shows that none can. The provider is paid for the prompt. */
  const cutOthers = (walk: Walk, winner: RunningCall): void => {
    const { prompt_tokens: inputTokens } = walk.request
    for (const running of walk.running) {
      if (running === winner) continue
      const { candidate, isHedge, startedAt } = running
      const endedAt = release(walk, running)
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
  const release = (walk: Walk, running: RunningCall): number => {
    const { candidate } = running
    walk.running.delete(running)
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
    walk: Walk,
    running: RunningCall,
    answered: SimulatedAnswer | undefined
  ): void => {
    if (!walk.running.has(running)) return
    const { candidate, isHedge, isLast, startedAt } = running
    const now = release(walk, running)
    const { id: endpoint } = candidate.endpoint
    const failure = answered === undefined ? toTimeout(isLast) : toFailure(answered)
    const attempted = toAttempt(walk.request, candidate, startedAt, now, answered, failure)
    const isAnswer = failure === undefined
    attempts.push({ endpoint, startedAt, endedAt: now, isAnswer, isHedge })
    record(candidate, toOutcome(attempted, outcomeRules))
    if (failure !== undefined) {
      walk.attempts.push(attempted)
      // A stream that broke off is no answer.
      delete walk.result.answeredMillis
      walk.isStopped ||= !failureRules[failure.kind].fallback
      if (walk.isStopped) cutOthers(walk, running)
      if (walk.running.size === 0) tryNext(walk)
      return
    }
    cutOthers(walk, running)
    walk.result.answeredMillis ??= now - walk.request.at
    if (attempted.usage !== undefined) charge(candidate, attempted.usage, startedAt)
  }

  let next = 0
  for (;;) {
    const arrivesAt = requests[next]?.at ?? Number.POSITIVE_INFINITY
    // An event at the arrival time of a request comes before the request.
    if (events.nextAt() <= arrivesAt) {
      const at = events.nextAt()
      const run = events.take()
      if (run === undefined) break
      clock.set(at)
      run()
    } else {
      clock.set(arrivesAt)
      begin(requests[next]!, next)
      next += 1
    }
  }
  return { requests: results, attempts, cost }
}

/** The state of one request while its attempts run. */
interface Walk {
  readonly request: RecordedRequest
  readonly index: number
  readonly result: SimulatedRequest
  readonly plan: Plan
  readonly ordered: ReadonlyArray<Candidate>
  /** Its attempts under way: one, or two in a race. */
  readonly running: Set<RunningCall>
  readonly deadlineAt: number
  readonly random: () => number
  readonly attempts: Array<RouteAttempt>
  /** How many candidates of the plan were looked at. */
  position: number
  /** The best of the candidates whose probe another request holds. */
  unclaimed: Candidate | undefined
  /** After how many milliseconds a second attempt is started; undefined: never. */
  hedgeMillis: number | undefined
  /** The candidate of that second attempt. */
  hedgedId: string | undefined
  /** Whether no further candidate is tried. */
  isStopped: boolean
}

interface RunningCall {
  readonly candidate: Candidate
  readonly startedAt: number
  readonly isLast: boolean
  readonly isHedge: boolean
}

/** Only streams are simulated with second attempts. */
const hedgingKind = "chat stream"

const isStreamed = ({ attempts }: RecordedRequest): boolean =>
  attempts.some(({ first_ms }) => first_ms !== undefined)

const toTimeout = (isLast: boolean): UpstreamFailure =>
  new UpstreamFailure({ kind: "timeout", phase: isLast ? "total" : "attempt" })

const toFailure = ({ kind, status }: SimulatedAnswer): UpstreamFailure | undefined =>
  status === 200
    ? undefined
    : new UpstreamFailure({
        kind: kind ?? (status === 0 ? "unreachable" : classifyResponse(status, undefined)),
        ...(status === 0 ? undefined : { status })
      })

const toAttempt = (
  { completion_tokens: outputTokens, prompt_tokens: inputTokens }: RecordedRequest,
  candidate: Candidate,
  startedAt: number,
  endedAt: number,
  answered: SimulatedAnswer | undefined,
  failure: UpstreamFailure | undefined
): RouteAttempt => ({
  candidate,
  chargedAt: startedAt,
  startedAt,
  latencyMillis: endedAt - startedAt,
  ...(failure === undefined ? { usage: { inputTokens, outputTokens } } : { failure }),
  ...(answered?.firstMillis === undefined ? undefined : { firstEventMillis: answered.firstMillis })
})
