/** Whether a failed submit may have created a job. */
import type { FailureKind, UpstreamFailure } from "./UpstreamFailure.ts"

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
