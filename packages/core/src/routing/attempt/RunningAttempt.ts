/** One attempt while it runs: what it has used so far, and what bounds its cost. */
import * as Cause from "effect/Cause"
import type * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import type { Health } from "../../engine/health/Health.ts"
import type { Outcome } from "../../engine/health/Outcome.ts"
import {
  catchThrown,
  UpstreamDefect,
  UpstreamFailure
} from "../../engine/upstreams/failures/UpstreamFailure.ts"
import type { ConnectionWait } from "../../engine/upstreams/transport/sendOnce.ts"
import type { SettingsShape } from "../../instance/Settings.ts"
import type { Deadline } from "../../values/Deadline.ts"
import { describeIgnored } from "../../values/errors/ignoredFields.ts"
import { getRequestCount, sumUsage, type TokenUsage } from "../../values/usage/TokenUsage.ts"
import type { Candidate } from "../Candidate.ts"
import type { CandidateTarget } from "../CandidateTarget.ts"
import type { Requirements } from "../Requirements.ts"
import type { RouteObserver } from "../RouteQuery.ts"
import type {
  AttemptReports,
  AttemptSuccess,
  ChangeReporter,
  RequestedService,
  RouteWork,
  SeenAnswer,
  UsageReporter
} from "../RouteWork.ts"
import type { RouteAttempt } from "./RouteAttempt.ts"
import { assessCharge, type ObservedUsage } from "./assessCharge.ts"
import type { UsageBounds } from "./capUsage.ts"
import type { RaceEntry } from "./hedging/Race.ts"
import { findLatencyKind } from "./lateness/findLatencyKind.ts"
import type { FirstEventTimes } from "./lateness/FirstEventTimes.ts"
import { getSuspectMillis } from "./lateness/getSuspectMillis.ts"
import { QueueTime } from "./QueueTime.ts"
import { isUnread } from "./unreadResponse.ts"

/** What an attempt needs besides its request. */
export interface AttemptServices {
  readonly settings: SettingsShape
  /** Added to the times of an attempt to get times of `Health.time`, in milliseconds. */
  readonly healthOffset: number
  readonly health: Pick<Health["Service"], "connectionWaits" | "endSuspicion" | "suspect" | "time">
  readonly firstEventTimes: FirstEventTimes
  /** `kind`: what takes about as long at an endpoint; undefined: its latency says nothing. */
  readonly record: (kind: string | undefined, candidate: Candidate, outcome: Outcome) => void
}

/** The parts of a request that its attempts read. */
interface AttemptOwner<Capability, A, R> {
  readonly deadline: Deadline
  readonly prepared: { readonly query: { readonly requirements: Requirements } }
  readonly work: RouteWork<Capability, A, R>
}

export class RunningAttempt<Capability, A, R>
  implements AttemptReports, ConnectionWait, UsageBounds
{
  readonly target: CandidateTarget<Capability>
  /** When it was reserved, in milliseconds since the epoch. */
  readonly reservedAt: number
  /**
   * When the upstream was called. The time of the ledger and the wait for a connection do not count as the provider's.
   */
  readonly startedAt: number
  /** Its part in a race of two attempts; undefined: it runs alone. */
  readonly entry: RaceEntry | undefined
  readonly maxUsageMultiple: number
  readonly maxCostMultiple: number
  /** When the caller received the beginning of a stream; undefined: not yet. */
  committedAt: number | undefined = undefined
  /** Parts of the request that the provider got in another form than the caller's; undefined: none. */
  changed: ReadonlyArray<string> | undefined = undefined
  readonly #isStrict: boolean
  readonly #work: RouteWork<Capability, A, R>
  readonly #deadline: Deadline
  readonly #services: AttemptServices
  readonly #latencyKind: string | undefined
  readonly #inputTokens: number
  #isSuspected = false
  /** Added to its times to get times of `Health.time`, in milliseconds. */
  readonly #healthOffset: number
  #observedUsage: ObservedUsage | undefined = undefined
  /** Undefined until the upstream is called. */
  #observer: RouteObserver | undefined = undefined
  /** Undefined while nothing has waited, as is usual. */
  #queueTime: QueueTime | undefined = undefined

  constructor(
    { deadline, prepared, work }: AttemptOwner<Capability, A, R>,
    target: CandidateTarget<Capability>,
    services: AttemptServices,
    reservedAt: number,
    startedAt: number,
    entry: RaceEntry | undefined
  ) {
    this.target = target
    this.reservedAt = reservedAt
    this.startedAt = startedAt
    const { healthOffset, settings } = services
    this.maxUsageMultiple = settings.maxReportedUsageMultiple
    this.maxCostMultiple = settings.maxReportedCostMultiple
    this.#isStrict = settings.refuseIgnoredFields
    this.#work = work
    this.#latencyKind = findLatencyKind(work, prepared.query)
    this.#inputTokens = prepared.query.requirements.inputTokens
    this.#deadline = deadline
    this.#services = services
    this.#healthOffset = healthOffset - deadline.offset
    this.entry = entry
    if (entry !== undefined) entry.isStarted = true
  }

  /** After how many milliseconds without an answer it is suspected to fail; Infinity: too little is known. */
  get suspectMillis(): number {
    const { firstEventTimes, health, settings } = this.#services
    return this.#latencyKind === undefined
      ? Number.POSITIVE_INFINITY
      : getSuspectMillis(
          firstEventTimes.getP99(this.#latencyKind, this.target.candidate, health.time.now()),
          this.#inputTokens,
          settings.suspectMinMillis
        )
  }

  /** Until it answers or ends, it counts as a failure in plans. */
  suspect(): void {
    if (this.#isSuspected || this.committedAt !== undefined) return
    this.#isSuspected = true
    this.#services.health.suspect(this.target.candidate.id)
  }

  endSuspicion(): void {
    if (!this.#isSuspected) return
    this.#isSuspected = false
    this.#services.health.endSuspicion(this.target.candidate.id)
  }

  callUpstream(
    credential: Redacted.Redacted | undefined,
    observer: RouteObserver
  ): Effect.Effect<AttemptSuccess<A>, UpstreamFailure, R> {
    const { target } = this
    this.#observer = observer
    const called =
      credential === undefined
        ? target
        : { candidate: target.candidate, capability: target.capability, credential }
    return this.#refusesChanges
      ? catchThrown(() => this.#work.run(called, this))
      : this.#work.run(called, this)
  }

  get #refusesChanges(): boolean {
    return this.#observer?.isStrict ?? this.#isStrict
  }

  get reportUsage(): UsageReporter {
    return (usage, isEstimated, seen) => this.#reportUsage(usage, isEstimated, seen)
  }

  get commit(): () => boolean {
    return () => this.#commit()
  }

  get reportChange(): ChangeReporter {
    return (places, why, stage) => this.#reportChange(places, why, stage)
  }

  #reportChange(...[places, why, stage]: Parameters<ChangeReporter>): void {
    const observer = this.#observer
    const { candidate } = this.target
    this.changed = this.changed === undefined ? places : [...this.changed, ...places]
    observer?.onIgnored?.(places, candidate)
    if (stage !== undefined) observer?.onStage?.(stage, candidate)
    if (this.#refusesChanges && why === undefined) throw toIgnoredFailure(places)
  }

  onQueued(): void {
    this.#queueTime ??= new QueueTime(this.#deadline)
    this.#queueTime.begin()
    this.#services.health.connectionWaits.begin(this.target.candidate.endpoint.provider)
  }

  onDequeued(): void {
    this.#queueTime?.end()
    this.#services.health.connectionWaits.end(this.target.candidate.endpoint.provider)
  }

  /** How long it has run, in milliseconds. */
  getElapsedMillis(): number {
    return this.#deadline.now() - this.startedAt
  }

  getQueuedMillis(): number {
    return this.#queueTime?.getMillis() ?? 0
  }

  getWorstCase(): TokenUsage | undefined {
    return getUnlessDefect(() => this.#work.getWorstCase?.(this.target))
  }

  getReadingBound(): number {
    return this.#work.getReadingBound?.(this.target) ?? 0
  }

  getUnreportedUsage(): TokenUsage | undefined {
    return this.#observer !== undefined
      ? getUnlessDefect(() => this.#work.getUnreportedUsage?.(this.target))
      : undefined
  }

  getRequestedService(): RequestedService | undefined {
    return this.#work.getRequestedService?.(this.target)
  }

  /** Whether another attempt answers the request in its place. */
  isLost(exit: Exit.Exit<AttemptSuccess<A>, UpstreamFailure>): boolean {
    const { entry } = this
    if (entry === undefined) return false
    return Exit.isSuccess(exit)
      ? !entry.claim()
      : entry.isBeaten && Cause.hasInterruptsOnly(exit.cause)
  }

  /** The record of the attempt, which ended at `now`. */
  toRouteAttempt(exit: Exit.Exit<AttemptSuccess<A>, UpstreamFailure>, now: number): RouteAttempt {
    const attempted = this.#toRouteAttempt(exit, now)
    const { changed, entry } = this
    if (entry === undefined && changed === undefined) return attempted
    const marked = changed === undefined ? attempted : { ...attempted, changed }
    if (entry === undefined) return marked
    return {
      ...marked,
      ...(entry.isHedge ? { hedge: true } : undefined),
      ...(this.isLost(exit) ? { lost: true } : undefined)
    }
  }

  #toRouteAttempt(exit: Exit.Exit<AttemptSuccess<A>, UpstreamFailure>, now: number): RouteAttempt {
    const { candidate } = this.target
    const { committedAt, reservedAt } = this
    const queuedMillis = this.getQueuedMillis()
    const startedAt = this.startedAt + queuedMillis
    const latencyMillis = now - startedAt
    if (committedAt === undefined && queuedMillis === 0 && Exit.isSuccess(exit)) {
      const charge = assessCharge(candidate, exit, undefined, this, now)
      return { candidate, chargedAt: reservedAt, startedAt, latencyMillis, ...charge }
    }
    return {
      candidate,
      chargedAt: reservedAt,
      startedAt,
      latencyMillis,
      ...(committedAt === undefined ? undefined : { firstEventMillis: committedAt - startedAt }),
      ...(queuedMillis === 0 ? undefined : { queuedMillis }),
      ...toFailure(exit),
      ...toBackpressure(exit),
      ...assessCharge(candidate, exit, this.#observedUsage, this, now)
    }
  }

  /** Whether the caller may have its answer. */
  #commit(): boolean {
    if (this.committedAt !== undefined) return true
    if (this.entry?.claim() === false) return false
    const at = this.#deadline.now()
    const { candidate } = this.target
    const startedAt = this.startedAt + this.getQueuedMillis()
    this.committedAt = at
    this.endSuspicion()
    this.#services.record(this.#latencyKind, candidate, {
      endpoint: candidate.id,
      startedAt: startedAt + this.#healthOffset,
      at: at + this.#healthOffset,
      result: "first_event",
      latencyMillis: at - startedAt
    })
    return true
  }

  #reportUsage(usage: TokenUsage, isEstimated = false, seen?: SeenAnswer): void {
    // Without whole token counts there is no price.
    if (!isWhole(usage)) return
    const observed = this.#observedUsage
    this.#observedUsage = {
      usage: observed === undefined ? usage : sumUsage(observed.usage, usage),
      isEstimated: isEstimated || observed?.isEstimated === true,
      seen: seen ?? observed?.seen
    }
  }
}

/** Nothing is sent; an endpoint that takes the fields may serve the request. */
export const toIgnoredFailure = (paths: ReadonlyArray<string>): UpstreamFailure =>
  new UpstreamFailure({ kind: "unsupported_parameter", detail: describeIgnored(paths) })

const isWhole = (usage: TokenUsage): boolean =>
  Number.isSafeInteger(usage.inputTokens) &&
  Number.isSafeInteger(usage.outputTokens) &&
  Number.isSafeInteger(getRequestCount(usage))

/** How an attempt ended, unless it served. */
const toFailure = (
  exit: Exit.Exit<unknown, UpstreamFailure>
): Pick<RouteAttempt, "failure" | "abortReason"> | undefined => {
  if (Exit.isSuccess(exit)) return undefined
  const failure = Option.getOrUndefined(Exit.findErrorOption(exit))
  if (failure !== undefined) return { failure }
  if (!Cause.hasInterruptsOnly(exit.cause)) return { abortReason: "defect" }
  return { abortReason: isUnread(exit.cause) ? "unread" : "interrupted" }
}

const toBackpressure = <A>(
  exit: Exit.Exit<AttemptSuccess<A>, UpstreamFailure>
): Pick<RouteAttempt, "backpressureMillis"> | undefined =>
  Exit.isSuccess(exit) && exit.value.backpressureMillis !== undefined
    ? { backpressureMillis: exit.value.backpressureMillis }
    : undefined

/** Undefined when the upstream's own code has a defect. */
const getUnlessDefect = <A>(compute: () => A): A | undefined => {
  try {
    return compute()
  } catch (defect) {
    if (defect instanceof UpstreamDefect) return undefined
    throw defect
  }
}
