/** What an attempt that ended, or a stream that began, means for the health of its endpoint. */
import type { TokenUsage } from "../../values/usage/TokenUsage.ts"

export interface Outcome {
  /** `<model>@<tag>` */
  readonly endpoint: string
  /** In the time of `Health.time`. */
  readonly startedAt: number
  /** When it ended or, for a `first_event`, began to answer, by `Health.time`. */
  readonly at: number
  readonly result:
    | "success"
    | "failure"
    /** A 429, which starts a backoff and counts neither as success nor as failure. */
    | "rate_limited"
    /** A failure that also lowers the share of valid answers. */
    | "invalid_answer"
    /** A fault of the request, or a disconnected caller: it says nothing about the endpoint. */
    | "ignored"
    /** A stream began, or was waited for this long in vain: its latency counts, and nothing else. */
    | "first_event"
  /** The kind of failure, from a small set. */
  readonly kind?: string
  /** The time to the answer, or to the first event; absent for the end of a stream whose `first_event` was recorded. */
  readonly latencyMillis?: number
  /** The total duration; absent: equal to the latency. */
  readonly totalMillis?: number
  /** For a success: the tokens that its throughput is computed from. */
  readonly outputTokens?: number
  /** For a success: the tokens of its prompt, and how many of them the provider read from its cache. */
  readonly prompt?: Pick<TokenUsage, "inputTokens" | "cachedTokens">
  /** How long the upstream asked to wait, as in `Retry-After`. */
  readonly retryAfterMillis?: number
}

/** Whether an attempt started at or after a moment. */
export const isStartedSince = ({ startedAt }: Outcome, moment: number): boolean =>
  startedAt >= moment
