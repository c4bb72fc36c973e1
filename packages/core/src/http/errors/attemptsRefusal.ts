/** What a caller is told when attempts were made and failed. Source: semantics A7, H4 to H8. */
import type { Attempted } from "../../routing/Attempted.ts"
import { isByok } from "../../routing/Candidate.ts"
import type { AttemptsFailed } from "../../routing/RoutingErrors.ts"
import type { FailureKind } from "../../upstreams/UpstreamFailure.ts"
import { availability } from "./availability.ts"
import { type Refusal, retryAfter, type Status } from "./Refusal.ts"

/** One attempt: the provider's error. Several: what they have in common. */
export const attemptsRefusal = ({ attempts, isFinal, models }: AttemptsFailed): Refusal => {
  const last = attempts.at(-1) ?? attempts[0]
  const alone = attempts.length === 1 || isFinal
  const { code, status, type } = alone ? verdictOf(last) : common(attempts)
  const hints = attempts.flatMap(({ failure }) => failure?.retryAfterMillis ?? [])
  return {
    status,
    message: alone
      ? `Provider returned error: ${describe(last)}`
      : `All ${attempts.length} attempts failed; the last one: ${describe(last)}`,
    metadata: {
      ...availability(type, code, models),
      provider_name: last.candidate.providerName,
      ...(isByok(last.candidate) ? { is_byok: true } : undefined),
      ...(last.failure?.detail === undefined ? undefined : { raw: last.failure.detail }),
      previous_errors: attempts.map(({ candidate, failure }) => ({
        provider: candidate.providerName,
        code: failure?.kind,
        ...(failure?.status === undefined ? undefined : { status: failure.status })
      }))
    },
    ...(hints.length === 0 || !waiting.has(status)
      ? undefined
      : { headers: retryAfter(Math.min(...hints)) })
  }
}

const kindOf = ({ failure }: Attempted): FailureKind => failure?.kind ?? "server_error"

const describe = ({ candidate, failure }: Attempted): string =>
  `${candidate.providerName}: ${failure?.message ?? "no answer"}`

/** Statuses that may carry `Retry-After`. */
const waiting: ReadonlySet<Status> = new Set([429, 503, 529])

interface Verdict {
  readonly status: Status
  readonly type: string
  readonly code: string
}

const unavailable: Verdict = {
  status: 502,
  type: "provider_unavailable",
  code: "provider_unavailable"
}
const invalidRequest: Verdict = { status: 400, type: "invalid_request", code: "invalid_request" }

const verdicts: Readonly<Record<FailureKind, Verdict>> = {
  unreachable: unavailable,
  timeout: { status: 524, type: "timeout", code: "timeout" },
  rate_limited: { status: 429, type: "rate_limit_exceeded", code: "capacity_exhausted" },
  overloaded: { status: 529, type: "provider_overloaded", code: "provider_overloaded" },
  server_error: unavailable,
  credential_refused: unavailable,
  forbidden: unavailable,
  not_served: { status: 404, type: "not_found", code: "model_unavailable_upstream" },
  bad_request: invalidRequest,
  context_length: {
    status: 400,
    type: "context_length_exceeded",
    code: "context_length_exceeded"
  },
  unsupported_parameter: invalidRequest,
  content_refused: {
    status: 400,
    type: "content_policy_violation",
    code: "content_policy_violation"
  },
  invalid_answer: unavailable,
  defect: unavailable
}

/** The fault is the request's, whoever found it first. */
const requestFaults: ReadonlySet<FailureKind> = new Set([
  "bad_request",
  "context_length",
  "unsupported_parameter",
  "content_refused"
])

const transient: ReadonlySet<FailureKind> = new Set([
  "unreachable",
  "timeout",
  "overloaded",
  "server_error",
  "rate_limited"
])

/** A provider that has no such model says so; one that answers 408 or 426 is merely of no use. */
const missing: ReadonlySet<number | undefined> = new Set([404, 405, 410, undefined])

const verdictOf = (attempted: Attempted): Verdict => {
  const kind = kindOf(attempted)
  return kind === "not_served" && !missing.has(attempted.failure?.status)
    ? unavailable
    : verdicts[kind]
}

const common = (attempts: ReadonlyArray<Attempted>): Verdict => {
  const kinds = attempts.map(kindOf)
  const all = attempts.map(verdictOf)
  const [first] = all
  const last = all.at(-1)
  if (kinds.every((kind) => kind === "rate_limited")) return verdicts.rate_limited
  if (kinds.every((kind) => transient.has(kind))) {
    return { status: 503, type: "provider_overloaded", code: "temporarily_unavailable" }
  }
  if (last !== undefined && kinds.every((kind) => requestFaults.has(kind))) return last
  return first !== undefined && all.every((verdict) => verdict === first) ? first : unavailable
}
