/** What a route does in one attempt at a target, and what bounds its cost. */
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type { UpstreamFailure } from "../engine/upstreams/failures/UpstreamFailure.ts"
import type { NanoUsd } from "../values/usage/NanoUsd.ts"
import type { ServedAs, ServedConditions } from "../values/usage/ModelUsage.ts"
import type { TokenUsage } from "../values/usage/TokenUsage.ts"
import type { AnswerCaching } from "./cache/AnswerCaching.ts"
import type { Candidate } from "./Candidate.ts"
import type { PipelineStage } from "./PipelineStage.ts"

/** A candidate with the capability of its upstream. */
export interface RouteTarget<Capability> {
  readonly candidate: Candidate
  readonly capability: Capability
  /** The customer's own credential for this call; absent: the host's. */
  readonly credential?: Redacted.Redacted
}

/** The result of a successful attempt. */
export interface AttemptSuccess<A> {
  readonly value: A
  readonly usage?: TokenUsage
  /** `usage` is an estimate, because the upstream reports none. */
  readonly isEstimated?: true
  /** The answer shows that the provider searched or read by itself. */
  readonly hasRead?: true
  readonly cost?: NanoUsd
  /** The upstream's name for the model that answered. */
  readonly model?: string
  /** The model and the conditions that served it, for its price; absent: as requested. */
  readonly servedAs?: ServedAs
  /** How long in milliseconds a slow reader delayed the stream; absent: not at all. */
  readonly backpressureMillis?: number
}

/** The facts known of an answer that broke off, besides its usage. */
export interface SeenAnswer {
  /** The provider searched or read by itself. */
  readonly hasRead: boolean
  readonly servedAs: ServedAs | undefined
  /** The cost of the usage, as the provider reports it. */
  readonly cost: NanoUsd | undefined
}

/** Receives usage as it becomes known; reports add up. `seen`: of the whole answer so far. */
export type UsageReporter = (usage: TokenUsage, isEstimated?: boolean, seen?: SeenAnswer) => void

/**
 * Receives what of the request a provider gets otherwise than the caller wrote it. Throws an `UpstreamFailure` if the request
 * refuses changes, unless they are `asked` for, or are what the caller does not get of the `answer`. `stage` says the same
 * to callers that request metadata.
 */
export type ChangeReporter = (
  places: ReadonlyArray<string>,
  why?: "answer" | "asked",
  stage?: PipelineStage
) => void

/** What an attempt says while it runs. Each is made when it is first read, because few attempts need all of them. */
export interface AttemptReports {
  readonly reportUsage: UsageReporter
  /**
   * Called before the caller gets the first part of the answer; no fallback follows it. When it returns false another attempt
   * answers: nothing of this one may reach the caller, and it is about to be interrupted.
   */
  readonly commit: () => boolean
  /** Called before the provider is, with what of the request it gets otherwise than the caller wrote it. */
  readonly reportChange: ChangeReporter
}

/** The parameter that caps the length of an answer. */
export interface OutputCap {
  /** Such as `max_tokens`. */
  readonly name: string
  /** Whether the request sets it. */
  readonly isSent: boolean
  /** How many answers the request asks for. */
  readonly answers: number
  /** Tokens that each answer may use beyond the cap. */
  readonly overheadTokens: number
}

/** Conditions of a request that may have a price of their own. */
export interface RequestedService {
  readonly conditions?: ServedConditions
  /** The names of models that tools of the provider ask. */
  readonly models?: ReadonlyArray<string>
}

/** Allows a second attempt while the first one lasts. */
export interface HedgingTraits {
  /** Work of one kind takes about as long at an endpoint, such as streamed chats to their first event. */
  readonly kind: string
  /** Whether requests that do not ask for a second attempt may have one. */
  readonly isDefault: boolean
}

/** What a route does at one target. */
export interface RouteWork<Capability, A, R> {
  /** The most it can use, reserved before it starts; absent: the cost is reserved elsewhere. */
  readonly getWorstCase?: (target: RouteTarget<Capability>) => TokenUsage
  /**
   * The most input tokens of an answer whose provider searched or read by itself, asked or not; Infinity: unknown.
   * Absent: no provider does so in this work.
   */
  readonly getReadingBound?: (target: RouteTarget<Capability>) => number
  /** Slow preparation of `getWorstCase`, called only when a reservation is made. */
  readonly prepareWorstCase?: () => Effect.Effect<void>
  /** How a caller can lower the worst case; absent or undefined: not at all. */
  readonly getOutputCap?: (target: RouteTarget<Capability>) => OutputCap | undefined
  /** The usage to assume when the provider was called but reported none; absent: nothing. */
  readonly getUnreportedUsage?: (target: RouteTarget<Capability>) => TokenUsage
  /** How the target is asked to serve, and which models besides its own; absent or undefined: as usual. */
  readonly getRequestedService?: (target: RouteTarget<Capability>) => RequestedService | undefined
  /** Vetoes a fallback that the failure rules allow; absent: never. */
  readonly canFallBack?: (failure: UpstreamFailure) => boolean
  /** When its reservation lapses, in milliseconds; absent: like the reservation of a request. */
  readonly leaseMillis?: number
  /** How its answer is stored for requests that use the cache; absent or undefined: not at all. */
  readonly caching?: Effect.Effect<AnswerCaching<A>> | undefined
  /** Absent or undefined: it must not run twice. */
  readonly hedging?: HedgingTraits | undefined
  readonly run: (
    target: RouteTarget<Capability>,
    reports: AttemptReports
  ) => Effect.Effect<AttemptSuccess<A>, UpstreamFailure, R>
}
