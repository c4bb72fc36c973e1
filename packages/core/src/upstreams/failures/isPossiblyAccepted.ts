/** Whether there may be a job although its submit failed. */
import type { FailureKind, UpstreamFailure } from "./UpstreamFailure.ts"

/**
 * False only where the upstream cannot have begun anything: it was not reached, or it refused. What was sent
 * and not answered may have been accepted, and so may what was answered without sense. A gateway (502, 504, 520,
 * 524) does not know what became of a request behind it.
 */
export const isPossiblyAccepted = ({ kind, phase, status }: UpstreamFailure): boolean => {
  if (outcomeUnknownKinds.has(kind)) return phase !== "connect"
  if (status === undefined) return kind === "invalid_answer"
  return (status >= 200 && status <= 299) || gatewayStatuses.has(status)
}

/** Nothing came back that says what became of the request. */
const outcomeUnknownKinds: ReadonlySet<FailureKind> = new Set(["unreachable", "timeout", "defect"])

const gatewayStatuses: ReadonlySet<number> = new Set([502, 504, 520, 524])
