/** Fits an error response to its operation: its statuses, its envelope, its words. */
import { missingKeyMessage } from "./toAuthErrorResponse.ts"
import { toInternChatEnvelope } from "./toInternChatEnvelope.ts"
import { bodyBufferFullResponse, unsupportedMediaTypeResponse } from "./toHttpErrorResponse.ts"
import { toInternEnvelope } from "./toInternEnvelope.ts"
import type { ErrorResponse, ErrorStatus } from "./ErrorResponse.ts"
import { drainingResponse, notJsonResponse } from "./toErrorResponse.ts"

/** An operation by its place in the contract. */
interface OperationKey {
  readonly group: string
  readonly name: string
}

/** Operations that run models: to the reference service a wrong content type is a malformed request. */
const isModelOperation = ({ group, name }: OperationKey): boolean =>
  group === "decisions" || group === "chat" || (group === "videos" && name === "create")

/** Allowed everywhere: the lists of the specification are a minimum. */
const commonStatuses: ReadonlyArray<ErrorStatus> = [408, 409, 415, 429]

const withCommonStatuses = (...statuses: ReadonlyArray<ErrorStatus>): ReadonlySet<ErrorStatus> =>
  new Set([...statuses, ...commonStatuses])

/** By operation. 416 of a video answers a `Range`, which the reference client never sends. */
const allowedStatuses: Readonly<Record<string, ReadonlySet<ErrorStatus>>> = {
  "videos.create": withCommonStatuses(400, 401, 402, 403, 404, 413, 500),
  "videos.get": withCommonStatuses(401, 403, 404, 500),
  "videos.content": withCommonStatuses(400, 401, 403, 404, 410, 416, 500, 502),
  "interns.create": withCommonStatuses(400, 401, 403, 404, 413, 500, 502),
  "interns.list": withCommonStatuses(400, 401, 403, 404, 500),
  "interns.get": withCommonStatuses(401, 403, 404, 500),
  "interns.update": withCommonStatuses(400, 401, 403, 404, 413, 500),
  "interns.delete": withCommonStatuses(400, 401, 403, 404, 413, 500, 502),
  "interns.provision": withCommonStatuses(400, 401, 403, 404, 413, 500, 502),
  "interns.suspend": withCommonStatuses(400, 401, 403, 404, 413, 500, 502)
}

/** Whose 401 has the words of the specification, whatever is wrong with the key. */
const missingKeyGroups: ReadonlySet<string> = new Set(["decisions", "videos"])

/** The service itself turns these requests away, so every operation answers with them. */
const alwaysAllowed: ReadonlySet<ErrorResponse> = new Set([
  bodyBufferFullResponse,
  drainingResponse
])

/**
 * The same, or as the 500 of the operation where the wire has no such status for it. A box that is closing
 * or crowded turns everything away alike, for that is not the operation's answer; interns have an envelope of their own, and
 * their lists hold whatever happens.
 */
export const restrictStatus = (
  operation: OperationKey | undefined,
  refusal: ErrorResponse
): ErrorResponse => {
  const statuses =
    operation === undefined ? undefined : allowedStatuses[`${operation.group}.${operation.name}`]
  if (operation?.group === "interns" && statuses !== undefined) {
    return toInternEnvelope(operation.name, statuses, refusal)
  }
  if (operation?.group === "internChats") return toInternChatEnvelope(refusal)
  const group = operation?.group ?? ""
  if (refusal.status === 401 && missingKeyGroups.has(group)) {
    return { ...refusal, message: missingKeyMessage }
  }
  if (
    refusal === unsupportedMediaTypeResponse &&
    operation !== undefined &&
    isModelOperation(operation)
  )
    return notJsonResponse
  return statuses === undefined || alwaysAllowed.has(refusal) || statuses.has(refusal.status)
    ? refusal
    : { ...refusal, status: 500 }
}
