/** Words refusals as the operations of interns tell them: codes in letters, and why in two keys. Source: wire, Interns. */
import type { ErrorResponse, ErrorStatus } from "./ErrorResponse.ts"

/**
 * As the operation `name` tells it, whose wire has `intern`: what cannot be told there as it is becomes what comes
 * closest to it.
 */
export const toInternEnvelope = (
  name: string,
  allowedStatuses: ReadonlySet<number>,
  refusal: ErrorResponse
): ErrorResponse => {
  const status = allowedStatuses.has(refusal.status)
    ? refusal.status
    : toNearestStatus(name, allowedStatuses, refusal.status)
  const { headers, metadata } = refusal
  const code = refusal.code ?? codeByStatus[status]
  const why = metadata === undefined ? undefined : toReasonMetadata(metadata, refusal.status)
  return {
    status,
    // Source: interface specification, Errors.
    message: status === 401 ? "Invalid or missing API key" : refusal.message,
    ...(code === undefined ? undefined : { code }),
    ...(why === undefined ? undefined : { metadata: why }),
    ...(headers === undefined ? undefined : { headers })
  }
}

/** Of the statuses whose code is a word; the code of the others is the status. */
const codeByStatus: Readonly<Partial<Record<ErrorStatus, string>>> = {
  400: "invalid_body",
  404: "not_found",
  413: "payload_too_large",
  500: "internal_error",
  502: "upstream_unavailable"
}

const toNearestStatus = (
  name: string,
  allowedStatuses: ReadonlySet<number>,
  status: ErrorStatus
): ErrorStatus => {
  // On a create a 502 means that there is an intern, which nobody knows here.
  return status === 503 && allowedStatuses.has(502) && name !== "create" ? 502 : 500
}

const toReasonMetadata = (
  { availability, error_type, path, reason, ...rest }: Readonly<Record<string, unknown>>,
  status: ErrorStatus
): NonNullable<ErrorResponse["metadata"]> | undefined => {
  if (typeof reason === "string") return { reason, retryable: false, ...rest }
  const known = findCode(availability) ?? error_type
  if (typeof known !== "string") return undefined
  return {
    reason: known,
    retryable: status === 429 || status === 503,
    ...(path === undefined ? undefined : { path })
  }
}

const findCode = (availability: unknown): unknown =>
  typeof availability === "object" && availability !== null && "code" in availability
    ? availability.code
    : undefined
