/** One attempt while it runs: what it has used so far, and what bounds its cost. */
import * as Cause from "effect/Cause"
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import type { SettingsShape } from "../../Settings.ts"
import { UpstreamDefect } from "../../upstreams/failures/UpstreamDefect.ts"
import type { UpstreamFailure } from "../../upstreams/failures/UpstreamFailure.ts"
import { getRequestCount, sumUsage, type TokenUsage } from "../../values/usage/TokenUsage.ts"
import type { CandidateTarget } from "../CandidateTarget.ts"
import type { AttemptSuccess, Operation } from "../Operation.ts"
import { assessCharge, type ObservedUsage, type UsageBounds } from "./assessCharge.ts"
import type { RouteAttempt } from "./RouteAttempt.ts"

export class RunningAttempt<Capability, A, R> implements UsageBounds {
  readonly target: CandidateTarget<Capability>
  /** When it was reserved, in milliseconds since the epoch. */
  readonly reservedAt: number
  /** The latency of the ledger does not count as that of the provider. */
  readonly startedAt: number
  readonly maxUsageMultiple: number
  readonly maxCostMultiple: number
  /** When the caller received the beginning of a stream; undefined: not yet. */
  committedAt: number | undefined = undefined
  readonly #operation: Operation<Capability, A, R>
  readonly #clock: Clock.Clock
  #observedUsage: ObservedUsage | undefined = undefined
  #isCalled = false

  constructor(
    { operation }: { readonly operation: Operation<Capability, A, R> },
    target: CandidateTarget<Capability>,
    clock: Clock.Clock,
    settings: SettingsShape,
    reservedAt: number,
    startedAt: number
  ) {
    this.target = target
    this.reservedAt = reservedAt
    this.startedAt = startedAt
    this.maxUsageMultiple = settings.maxReportedUsageMultiple
    this.maxCostMultiple = settings.maxReportedCostMultiple
    this.#operation = operation
    this.#clock = clock
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
      Effect.sync(() => {
        this.committedAt ??= this.#clock.currentTimeMillisUnsafe()
      })
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

  /** The record of the attempt, which ended at `now`. */
  toRouteAttempt(exit: Exit.Exit<AttemptSuccess<A>, UpstreamFailure>, now: number): RouteAttempt {
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
