/** What one finished attempt means for the health of its endpoint. */
export interface Outcome {
  /** `<model>@<tag>` */
  readonly endpoint: string
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  /** When it ended, in milliseconds since the epoch. */
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
  /** The kind of failure, from a small set. */
  readonly kind?: string
  /** The time to the answer; for a stream, to its first event. */
  readonly latencyMillis: number
  /** The total duration; absent: equal to the latency. */
  readonly totalMillis?: number
  /** For a success: the tokens that its throughput is computed from. */
  readonly outputTokens?: number
  /** How long the upstream asked to wait, as in `Retry-After`. */
  readonly retryAfterMillis?: number
}

/**
 * Whether an attempt started at or after a moment. Outcomes are recorded as they end, so an end before the
 * moment shows that the clock was set back since: the attempt counts as later.
 */
export const isStartedSince = ({ at, startedAt }: Outcome, moment: number): boolean =>
  startedAt >= moment || at < moment
