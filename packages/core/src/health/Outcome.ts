/** What one ended attempt means for the endpoint it was made at. */
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
    /** 429: the endpoint is backed off from; neither success nor failure. */
    | "rate_limited"
    /** A failure that also lowers the share of valid answers. */
    | "invalid_answer"
    /** The request's own fault, or its caller is gone: says nothing about the endpoint. */
    | "ignored"
  /** What kind of failure it was; of a small set. */
  readonly kind?: string
  /** Until the answer was there; of a stream, until its first event. */
  readonly latencyMillis: number
  /** How long the whole of it took; absent: no longer than the latency. */
  readonly totalMillis?: number
  /** Of a success: what its throughput is measured by. */
  readonly outputTokens?: number
  /** How long the upstream asked to stay away. */
  readonly retryAfterMillis?: number
}
