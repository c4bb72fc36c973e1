/** Words refusals as the operations of interns tell them: codes in letters, and why in two keys. Source: wire, Interns. */
import type { Refusal, Status } from "./Refusal.ts"

/**
 * As the operation `name` tells it, whose wire has `listed`: what cannot be told there as it is becomes what comes
 * closest to it.
 */
export const internEnvelope = (
  name: string,
  listed: ReadonlySet<Status>,
  refusal: Refusal
): Refusal => {
  const status = listed.has(refusal.status) ? refusal.status : nearest(name, listed, refusal.status)
  const { headers, metadata } = refusal
  const code = refusal.code ?? codes[status]
  const why = metadata === undefined ? undefined : reasonOf(metadata, refusal.status)
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
const codes: Readonly<Partial<Record<Status, string>>> = {
  400: "invalid_body",
  404: "not_found",
  413: "payload_too_large",
  500: "internal_error",
  502: "upstream_unavailable"
}

const nearest = (name: string, listed: ReadonlySet<Status>, status: Status): Status => {
  // On a create a 502 means that there is an intern, which nobody knows here.
  return status === 503 && listed.has(502) && name !== "create" ? 502 : 500
}

const reasonOf = (
  { availability, error_type, path, reason, ...rest }: Readonly<Record<string, unknown>>,
  status: Status
): NonNullable<Refusal["metadata"]> | undefined => {
  if (typeof reason === "string") return { reason, retryable: false, ...rest }
  const known = codeIn(availability) ?? error_type
  if (typeof known !== "string") return undefined
  return {
    reason: known,
    retryable: status === 429 || status === 503,
    ...(path === undefined ? undefined : { path })
  }
}

const codeIn = (availability: unknown): unknown =>
  typeof availability === "object" && availability !== null && "code" in availability
    ? availability.code
    : undefined
