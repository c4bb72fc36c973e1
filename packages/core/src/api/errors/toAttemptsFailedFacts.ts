/** The error of a request whose attempts all failed. */
import type { FailureKind } from "../../engine/upstreams/failures/UpstreamFailure.ts"
import { isByok } from "../../routing/Candidate.ts"
import type { AttemptsFailed } from "../../routing/RoutingErrors.ts"
import type { RouteAttempt } from "../../routing/attempt/RouteAttempt.ts"
import { type ErrorFacts, turnFailed } from "./ErrorFacts.ts"
import type { AvailabilityCode } from "./ErrorReason.ts"
import type { ErrorStatus } from "./ErrorResponse.ts"

/** Every attempt failed: one shows its provider's error, several what they have in common. */
export const toAttemptsFailedFacts = ({
  attempts,
  isFinal,
  models
}: AttemptsFailed): ErrorFacts => {
  const last = attempts.at(-1) ?? attempts[0]
  const isSingle = attempts.length === 1 || isFinal
  const { code, ...verdict } = isSingle ? toVerdict(last) : toCommonVerdict(attempts)
  const hints = attempts.flatMap(({ failure }) => failure?.retryAfterMillis ?? [])
  return {
    ...verdict,
    message:
      last.failure?.phase === "queue" && isSingle
        ? `Every connection to ${last.candidate.providerName} is in use, so nothing was sent. Try again in a second; if it lasts, raise settings.maxUpstreamConnections`
        : isSingle
          ? `Provider returned error: ${describeAttempt(last)}`
          : `All ${attempts.length} attempts failed; the last one: ${describeAttempt(last)}`,
    availability: { code, models },
    details: {
      provider_name: last.candidate.providerName,
      is_byok: isByok(last.candidate) ? true : undefined,
      raw: last.failure?.detail,
      previous_errors: attempts.map(({ candidate, failure }) => ({
        provider: candidate.providerName,
        code: failure?.kind,
        ...(failure?.status === undefined ? undefined : { status: failure.status })
      }))
    },
    ...(hints.length > 0 && retryAfterStatuses.has(verdict.status)
      ? { retryAfterMillis: Math.min(...hints) }
      : undefined)
  }
}

const getFailureKind = ({ failure }: RouteAttempt): FailureKind => failure?.kind ?? "server_error"

const describeAttempt = ({ candidate, failure }: RouteAttempt): string =>
  `${candidate.providerName}: ${failure?.message ?? "no answer"}`

/** Statuses that may carry `Retry-After`. */
const retryAfterStatuses: ReadonlySet<ErrorStatus> = new Set([429, 503, 529])

interface AttemptVerdict extends Pick<ErrorFacts, "internChat" | "status" | "type"> {
  /** The code of the availability. */
  readonly code: AvailabilityCode
}

const unavailable: AttemptVerdict = {
  status: 502,
  type: "provider_unavailable",
  code: "provider_unavailable"
}
const invalidRequest: AttemptVerdict = {
  status: 400,
  type: "invalid_request",
  code: "invalid_request"
}

const verdicts: Readonly<Record<FailureKind, AttemptVerdict>> = {
  unreachable: unavailable,
  timeout: { status: 524, type: "timeout", code: "timeout" },
  rate_limited: { status: 429, type: "rate_limit_exceeded", code: "capacity_exhausted" },
  overloaded: { status: 529, type: "provider_overloaded", code: "provider_overloaded" },
  server_error: unavailable,
  credential_refused: unavailable,
  forbidden: unavailable,
  not_served: {
    status: 404,
    type: "not_found",
    code: "model_unavailable_upstream",
    internChat: turnFailed
  },
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

/** These failures are the request's fault, so every provider would report them. */
const requestFaultKinds: ReadonlySet<FailureKind> = new Set([
  "bad_request",
  "context_length",
  "unsupported_parameter",
  "content_refused"
])

const transientKinds: ReadonlySet<FailureKind> = new Set([
  "unreachable",
  "timeout",
  "overloaded",
  "server_error",
  "rate_limited"
])

/** A provider without the model answers one of these; one that answers 421 or 426 is merely of no use. */
const missingStatuses: ReadonlySet<number | undefined> = new Set([404, 405, 410, undefined])

/** No provider has failed: this process has no connection to spare. */
const busy: AttemptVerdict = {
  status: 503,
  type: "provider_overloaded",
  code: "temporarily_unavailable"
}

const toVerdict = (attempted: RouteAttempt): AttemptVerdict => {
  if (attempted.failure?.phase === "queue") return busy
  const kind = getFailureKind(attempted)
  return kind === "not_served" && !missingStatuses.has(attempted.failure?.status)
    ? unavailable
    : verdicts[kind]
}

const toCommonVerdict = (attempts: ReadonlyArray<RouteAttempt>): AttemptVerdict => {
  const kinds = attempts.map(getFailureKind)
  const all = attempts.map(toVerdict)
  const [first] = all
  const last = all.at(-1)
  if (kinds.every((kind) => kind === "rate_limited")) return verdicts.rate_limited
  if (kinds.every((kind) => transientKinds.has(kind))) {
    return busy
  }
  if (last !== undefined && kinds.every((kind) => requestFaultKinds.has(kind))) return last
  return first !== undefined && all.every((verdict) => verdict === first) ? first : unavailable
}
