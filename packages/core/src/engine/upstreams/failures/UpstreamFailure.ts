/** How a call to an upstream fails. */
import * as Effect from "effect/Effect"
import type * as Cause from "effect/Cause"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { omitUndefined } from "../../../values/ownFields.ts"

/**
 * The kind of a failure. The rules of the router (`failureRules`) decide which kinds fall back to the next candidate
 * and which count against health.
 */
export const FailureKind = Schema.Literals([
  /** The connection was refused, could not be resolved or secured, or was dropped before the whole answer. */
  "unreachable",
  /** A timeout; `phase` says which. Also 408, 504 and 524. */
  "timeout",
  /** 429. */
  "rate_limited",
  /** 503 or 529. */
  "overloaded",
  /** Any other 5xx, 409 or 499, or an error reported inside a 200. */
  "server_error",
  /** 401 or 402: the provider does not accept this credential or account. */
  "credential_refused",
  /** 403 or 451: the provider refuses this account or region. */
  "forbidden",
  /** 404 or another 4xx: the provider does not serve this model or this form of request. */
  "not_served",
  /** 400, 413 or 422: the request itself is at fault. */
  "bad_request",
  /** The request is longer than the model's context. */
  "context_length",
  /** The model does not support a parameter of the request. */
  "unsupported_parameter",
  /** The provider's content policy rejects the request. */
  "content_refused",
  /** Status 200 with content that is truncated, unreadable or not an answer. */
  "invalid_answer",
  /** The upstream's own code threw, rejected or interrupted itself; the log has the cause. */
  "defect"
])
export type FailureKind = typeof FailureKind.Type

/** The phase of a call in which it timed out or its connection broke. */
export const FailurePhase = Schema.Literals([
  /** Waiting for a connection of this process: nothing was sent, and it does not count against the endpoint. */
  "queue",
  "connect",
  "headers",
  "body",
  "first_event",
  "between_events",
  /** The share of a request's time that one attempt has while fallbacks are left. */
  "attempt",
  "total"
])
export type FailurePhase = typeof FailurePhase.Type

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** Why an upstream did not answer. Must contain no secrets. */
export class UpstreamFailure extends Schema.TaggedError<UpstreamFailure>()("UpstreamFailure", {
  kind: FailureKind,
  /** The HTTP status of the response, if there was one. */
  status: Schema.optionalKey(Schema.Int),
  phase: Schema.optionalKey(FailurePhase),
  /** The wait that the upstream requests before a retry, in milliseconds. */
  retryAfterMillis: Schema.optionalKey(Schema.Finite),
  /**
   * The credential was refused, and a new one, or a new signature, is ready: the same endpoint may be tried once more.
   */
  isCredentialRenewed: Schema.optionalKey(Schema.Literal(true)),
  /** The upstream's message, truncated; never a header or a secret. */
  detail: Schema.optionalKey(Schema.String),
  /** The usage of the failed call, if the upstream reports it: it is recorded and charged. */
  usage: Schema.optionalKey(
    Schema.Struct({
      inputTokens: Count,
      outputTokens: Count,
      requests: Schema.optionalKey(Count),
      images: Schema.optionalKey(Count),
      cachedTokens: Schema.optionalKey(Count),
      cacheWriteTokens: Schema.optionalKey(Count),
      cacheWrite1hTokens: Schema.optionalKey(Count),
      audioTokens: Schema.optionalKey(Count),
      audioOutputTokens: Schema.optionalKey(Count),
      imageOutputTokens: Schema.optionalKey(Count),
      characters: Schema.optionalKey(Count),
      audioMillis: Schema.optionalKey(Count),
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

interface ReportedError {
  readonly kind: FailureKind
  /** The status of an error response; absent: the error is in an answer with a success status. */
  readonly status?: number
  /** The upstream's, of any length. */
  readonly message: string | undefined
  readonly retryAfterMillis?: number | undefined
  readonly usage?: UpstreamFailure["usage"]
}

/** Makes a failure of what an upstream reports. */
export const makeFailure = ({ message, status, ...facts }: ReportedError): UpstreamFailure => {
  const detail = message ?? (status === undefined ? "the answer reports an error" : undefined)
  return new UpstreamFailure(
    omitUndefined({ ...facts, status, detail: detail?.slice(0, detailLimit) })
  )
}

/** Characters that are kept, so that an upstream cannot fill logs and records. */
const detailLimit = 500

/** Copies a failure with other values of some fields. */
export const withFields = (
  failure: UpstreamFailure,
  changes: Partial<Pick<UpstreamFailure, FieldName>>
): UpstreamFailure => new UpstreamFailure({ ...Struct.pick(failure, fieldNames), ...changes })

/** The same failure of a call that costs nothing, even if the upstream reports usage. */
export const withoutUsage = (failure: UpstreamFailure): UpstreamFailure => {
  if (failure.usage === undefined) return failure
  const { usage: _, ...facts } = Struct.pick(failure, fieldNames)
  return new UpstreamFailure(facts)
}

type FieldName = keyof typeof UpstreamFailure.fields

const fieldNames = Struct.keys(UpstreamFailure.fields)

/**
 * False only when the upstream was not reached or rejected the request. A request without an answer, or with an
 * invalid one, may have been accepted, and so may one that a gateway (502, 504, 520, 524) answered.
 */
export const isPossiblyAccepted = ({ kind, phase, status }: UpstreamFailure): boolean => {
  if (outcomeUnknownKinds.has(kind)) return phase !== "connect" && phase !== "queue"
  if (status === undefined) return kind === "invalid_answer"
  return (status >= 200 && status <= 299) || gatewayStatuses.has(status)
}

/** The outcome of the request is unknown. */
const outcomeUnknownKinds: ReadonlySet<FailureKind> = new Set(["unreachable", "timeout", "defect"])

const gatewayStatuses: ReadonlySet<number> = new Set([502, 504, 520, 524])

/** A defect in a function of an upstream that has no typed failure, such as `estimateWorstCase`. */
export class UpstreamDefect extends Error {
  /** The slug of the upstream. */
  readonly slug: string
  /** The thrown value, without secrets. */
  readonly reason: Cause.Cause<unknown>

  constructor(slug: string, reason: Cause.Cause<unknown>) {
    super(`the code of the upstream "${slug}" has a defect`)
    this.name = "UpstreamDefect"
    this.slug = slug
    this.reason = reason
  }
}

/** The error of a transport whose connections to an upstream are all in use: nothing was sent. */
export class ConnectionsBusy extends Error {
  override readonly name = "ConnectionsBusy"

  constructor() {
    super("every connection to the provider is in use")
  }
}

/** Changes of a request that refuses them are also found before the code of the upstream is called. */
export const catchThrown = <A, R>(
  run: () => Effect.Effect<A, UpstreamFailure, R>
): Effect.Effect<A, UpstreamFailure, R> => {
  try {
    return run()
  } catch (thrown) {
    if (thrown instanceof UpstreamFailure) return Effect.fail(thrown)
    throw thrown
  }
}
