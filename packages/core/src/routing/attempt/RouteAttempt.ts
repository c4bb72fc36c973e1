/** One attempt at one candidate, as it is recorded, charged and shown. */
import { type TokenUsage, sumUsage } from "../../values/usage/TokenUsage.ts"
import type { ImplausibleReport } from "../../engine/observability/generations/Generation.ts"
import type { UpstreamFailure } from "../../engine/upstreams/failures/UpstreamFailure.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import type { Candidate } from "../Candidate.ts"

/** One attempt and its outcome. */
export interface RouteAttempt {
  readonly candidate: Candidate
  /**
   * The time of its reservation in milliseconds since the epoch: the cost counts in the same day, week and month
   * as the reservation.
   */
  readonly chargedAt: number
  /** When the provider was called, after a wait for a connection, in milliseconds since the epoch. */
  readonly startedAt: number
  readonly latencyMillis: number
  /** For a committed stream: the time to its first event. */
  readonly firstEventMillis?: number
  /** How long in milliseconds it waited for a connection of this process, before `startedAt`; absent: not at all. */
  readonly queuedMillis?: number
  /** How long in milliseconds it waited in the request queue, before that; absent: not at all, or that is not recorded. */
  readonly queueMillis?: number
  /** How long in milliseconds a slow reader delayed the stream; absent: not at all. */
  readonly backpressureMillis?: number
  /**
   * Parts of the request that the provider got in another form than the caller's, such as `reasoning`; absent: none.
   */
  readonly changed?: ReadonlyArray<string>
  /** It was started beside another attempt, which took long to answer. */
  readonly hedge?: true
  /** The other of two attempts answered: this one was cut off, or came too late. */
  readonly lost?: true
  /** Absent for the attempt that served. */
  readonly failure?: UpstreamFailure
  /** Why it did not finish: the caller disconnected or the instance closed, or Signalbox has a defect. */
  readonly abortReason?: "interrupted" | "unread" | "defect"
  readonly usage?: TokenUsage
  /** `usage` is an estimate, because the provider did not report it. */
  readonly estimated?: true
  /** An implausible report of the provider; `usage` and `cost` are capped at the plausible maximum. */
  readonly implausible?: ImplausibleReport
  /** The cost; absent: unknown. */
  readonly cost?: NanoUsd.NanoUsd
  /**
   * The cost that the provider charges the customer whose own credential was used; absent: unknown or not applicable.
   */
  readonly upstreamCost?: NanoUsd.NanoUsd
}

/** The usage of a request, summed over all attempts, including failed ones; undefined when unknown. */
export const sumAttemptUsage = (attempts: ReadonlyArray<RouteAttempt>): TokenUsage | undefined =>
  sumKnown(attempts, getUsage, sumUsage)

/**
 * The cost of a request: the sum over its attempts, including failed ones. Undefined when the cost of an attempt
 * that served, or is known to have used something, is unknown.
 */
export const sumCost = (attempts: ReadonlyArray<RouteAttempt>): NanoUsd.NanoUsd | undefined =>
  attempts.some(hasUnknownCost) ? undefined : sumKnown(attempts, getCost, NanoUsd.sum)

/** The amount that providers charge the customer; undefined when no customer credential was used. */
export const sumUpstreamCost = (
  attempts: ReadonlyArray<RouteAttempt>
): NanoUsd.NanoUsd | undefined => sumKnown(attempts, getUpstreamCost, NanoUsd.sum)

/** Without attempts the answer comes from the cache, and costs nothing. */
export const sumAnswerCost = (attempts: ReadonlyArray<RouteAttempt>): NanoUsd.NanoUsd | undefined =>
  attempts.length === 0 ? NanoUsd.zero : sumCost(attempts)

const getUsage = ({ usage }: RouteAttempt) => usage
const getCost = ({ cost }: RouteAttempt) => cost
const getUpstreamCost = ({ upstreamCost }: RouteAttempt) => upstreamCost

const hasUnknownCost = (attempted: RouteAttempt): boolean =>
  attempted.cost === undefined && isCharged(attempted)

const isCharged = ({ abortReason, failure, usage }: RouteAttempt): boolean =>
  usage !== undefined || (failure === undefined && abortReason === undefined)

const sumKnown = <A>(
  attempts: ReadonlyArray<RouteAttempt>,
  getPart: (attempted: RouteAttempt) => A | undefined,
  sum: (self: A, that: A) => A
): A | undefined => {
  let total: A | undefined
  for (const attempted of attempts) {
    const part = getPart(attempted)
    if (part !== undefined) total = total === undefined ? part : sum(total, part)
  }
  return total
}
