/** How a call to an upstream fails: one error, one closed set of kinds, facts instead of sentences. */
import * as Schema from "effect/Schema"

/**
 * What went wrong, as far as routing cares. Which kinds move on to the next candidate and which
 * count against health is data of the router (`routing/failureRules.ts`), not of the upstream.
 */
export const FailureKind = Schema.Literals([
  /** Refused, unresolvable, no TLS, or dropped before a whole answer arrived. */
  "unreachable",
  /** A named deadline passed; `phase` says which. */
  "timeout",
  /** 429. */
  "rate_limited",
  /** 503 or 529. */
  "overloaded",
  /** Any other 5xx, or an error reported inside a 200. */
  "server_error",
  /** 401 or 402: the provider does not accept this credential or account. */
  "credential_refused",
  /** 403 or 451: the provider refuses this account or region. */
  "forbidden",
  /** 404 or another 4xx: this provider does not serve the model so. */
  "not_served",
  /** 400, 413 or 422: the request itself is at fault. */
  "bad_request",
  /** The request is longer than the model's context. */
  "context_length",
  /** The model does not take a parameter of the request. */
  "unsupported_parameter",
  /** The provider's content policy refuses the request. */
  "content_refused",
  /** A 200 whose content is truncated, unreadable or not an answer. */
  "invalid_answer",
  /** The upstream's own code threw, rejected, or broke off by itself; the log says how. */
  "defect"
])
export type FailureKind = typeof FailureKind.Type

/** Where in the exchange a deadline passed or a connection broke. */
export const FailurePhase = Schema.Literals([
  "connect",
  "headers",
  "body",
  "first_event",
  "between_events",
  /** What one attempt may take of a request's time while there are others to fall back to. */
  "attempt",
  "total"
])
export type FailurePhase = typeof FailurePhase.Type

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** Why an upstream did not answer; it never repeats a secret. */
export class UpstreamFailure extends Schema.TaggedError<UpstreamFailure>()("UpstreamFailure", {
  kind: FailureKind,
  /** The status the upstream answered with, if it answered. */
  status: Schema.optionalKey(Schema.Int),
  phase: Schema.optionalKey(FailurePhase),
  /** What the upstream asked to wait before trying again, in milliseconds. */
  retryAfterMillis: Schema.optionalKey(Schema.Finite),
  /** The upstream's own words, clipped; never a header and never a secret. */
  detail: Schema.optionalKey(Schema.String),
  /** What the failed call used, when the upstream said so: it is recorded and paid for. */
  usage: Schema.optionalKey(
    Schema.Struct({
      inputTokens: Count,
      outputTokens: Count,
      requests: Schema.optionalKey(Count),
      images: Schema.optionalKey(Count),
      cachedTokens: Schema.optionalKey(Count),
      cacheWriteTokens: Schema.optionalKey(Count),
      audioTokens: Schema.optionalKey(Count),
      audioOutputTokens: Schema.optionalKey(Count),
      imageOutputTokens: Schema.optionalKey(Count),
      webSearches: Schema.optionalKey(Count),
      reasoningTokens: Schema.optionalKey(Count)
    })
  )
}) {
  override get message(): string {
    const status = this.status === undefined ? "" : ` (${this.status})`
    return `${this.kind}${status}${this.detail === undefined ? "" : `: ${this.detail}`}`
  }
}
