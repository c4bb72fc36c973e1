/** One attempt while it runs: what it has used so far, and what bounds its cost. */
import * as Cause from "effect/Cause"
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import type { Outcome } from "../../health/Outcome.ts"
import type { SettingsShape } from "../../Settings.ts"
import { UpstreamDefect } from "../../upstreams/failures/UpstreamDefect.ts"
import type { UpstreamFailure } from "../../upstreams/failures/UpstreamFailure.ts"
import { getRequestCount, sumUsage, type TokenUsage } from "../../values/usage/TokenUsage.ts"
import type { Candidate } from "../Candidate.ts"
import type { CandidateTarget } from "../CandidateTarget.ts"
import type { AttemptSuccess, Operation } from "../Operation.ts"
import { assessCharge, type ObservedUsage, type UsageBounds } from "./assessCharge.ts"
import type { RaceEntry } from "./hedging/Race.ts"
import type { RouteAttempt } from "./RouteAttempt.ts"

/** What an attempt needs besides its request. */
export interface AttemptServices {
  readonly clock: Clock.Clock
  readonly settings: SettingsShape
  readonly record: (
    operation: Pick<Operation<never, unknown, unknown>, "hedging">,
    candidate: Candidate,
    outcome: Outcome
  ) => void
}

export class RunningAttempt<Capability, A, R> implements UsageBounds {
  readonly target: CandidateTarget<Capability>
  /** When it was reserved, in milliseconds since the epoch. */
  readonly reservedAt: number
  /** The latency of the ledger does not count as that of the provider. */
  readonly startedAt: number
  /** Its part in a race of two attempts; undefined: it runs alone. */
  readonly entry: RaceEntry | undefined
  readonly maxUsageMultiple: number
  readonly maxCostMultiple: number
  /** When the caller received the beginning of a stream; undefined: not yet. */
  committedAt: number | undefined = undefined
  readonly #operation: Operation<Capability, A, R>
  readonly #clock: Clock.Clock
  readonly #record: AttemptServices["record"]
  #observedUsage: ObservedUsage | undefined = undefined
  #isCalled = false

  constructor(
    { operation }: { readonly operation: Operation<Capability, A, R> },
    target: CandidateTarget<Capability>,
    { clock, record, settings }: AttemptServices,
    reservedAt: number,
    startedAt: number,
    entry: RaceEntry | undefined
  ) {
    this.target = target
    this.reservedAt = reservedAt
    this.startedAt = startedAt
    this.maxUsageMultiple = settings.maxReportedUsageMultiple
    this.maxCostMultiple = settings.maxReportedCostMultiple
    this.#operation = operation
    this.#clock = clock
    this.#record = record
    this.entry = entry
    if (entry !== undefined) entry.startedAt = startedAt
  }

  callUpstream(
    credential: Redacted.Redacted | undefined
  ): Effect.Effect<AttemptSuccess<A>, UpstreamFailure, R> {
    const { target } = this
    this.#isCalled = true
    return this.#operation.run(
      credential === undefined
        ? target
        : { candidate: target.candidate, capability: target.capability, credential },
      (usage, isEstimated) => this.#reportUsage(usage, isEstimated),
      Effect.sync(() => this.#commit())
    )
  }

  getWorstCase(): TokenUsage | undefined {
    return getUnlessDefect(() => this.#operation.getWorstCase?.(this.target))
  }

  getUnreportedUsage(): TokenUsage | undefined {
    return this.#isCalled
      ? getUnlessDefect(() => this.#operation.getUnreportedUsage?.(this.target))
      : undefined
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
    const { entry } = this
    if (entry === undefined) return attempted
    return {
      ...attempted,
      ...(entry.isHedge ? { hedge: true } : undefined),
      ...(this.isLost(exit) ? { lost: true } : undefined)
    }
  }

  #toRouteAttempt(exit: Exit.Exit<AttemptSuccess<A>, UpstreamFailure>, now: number): RouteAttempt {
    const { candidate } = this.target
    const { committedAt, reservedAt, startedAt } = this
    const latencyMillis = now - startedAt
    if (committedAt === undefined && Exit.isSuccess(exit)) {
      const charge = assessCharge(candidate, exit, undefined, this, now)
      return { candidate, chargedAt: reservedAt, startedAt, latencyMillis, ...charge }
    }
    return {
      candidate,
      chargedAt: reservedAt,
      startedAt,
      latencyMillis,
      ...(committedAt === undefined ? undefined : { firstEventMillis: committedAt - startedAt }),
      ...toFailure(exit),
      ...toBackpressure(exit),
      ...assessCharge(candidate, exit, this.#observedUsage, this, now)
    }
  }

  /** Whether the caller may have its answer. */
  #commit(): boolean {
    if (this.committedAt !== undefined) return true
    if (this.entry?.claim() === false) return false
    const at = this.#clock.currentTimeMillisUnsafe()
    const { candidate } = this.target
    const { startedAt } = this
    this.committedAt = at
    this.#record(this.#operation, candidate, {
      endpoint: candidate.id,
      startedAt,
      at,
      result: "first_event",
      latencyMillis: at - startedAt
    })
    return true
  }

  #reportUsage(usage: TokenUsage, isEstimated = false): void {
    // Without whole token counts there is no price.
    if (!isWhole(usage)) return
    const observed = this.#observedUsage
    this.#observedUsage = {
      usage: observed === undefined ? usage : sumUsage(observed.usage, usage),
      isEstimated: isEstimated || observed?.isEstimated === true
    }
  }
}

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
  return { abortReason: Cause.hasInterruptsOnly(exit.cause) ? "interrupted" : "defect" }
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
