/** Fits an error response to its operation: its statuses, its envelope, its words. */
import { missingKey } from "./authRefusal.ts"
import { internChatEnvelope } from "./internChatEnvelope.ts"
import { bodiesCrowded, unsupportedType } from "./httpRefusal.ts"
import { internEnvelope } from "./internEnvelope.ts"
import type { Refusal, Status } from "./Refusal.ts"
import { draining, notJson } from "./refusalOf.ts"

/** An operation by its place in the contract. */
interface Told {
  readonly group: string
  readonly name: string
}

/** Operations that run models: to the reference service a wrong content type is a malformed request. */
const runsModels = ({ group, name }: Told): boolean =>
  group === "decisions" || group === "chat" || (group === "videos" && name === "create")

/** Allowed everywhere: the lists of the specification are a minimum. */
const everywhere: ReadonlyArray<Status> = [408, 409, 415, 429]

const allowed = (...statuses: ReadonlyArray<Status>): ReadonlySet<Status> =>
  new Set([...statuses, ...everywhere])

/** By operation. 416 of a video answers a `Range`, which the reference client never sends. */
const lists: Readonly<Record<string, ReadonlySet<Status>>> = {
  "videos.create": allowed(400, 401, 402, 403, 404, 413, 500),
  "videos.get": allowed(401, 403, 404, 500),
  "videos.content": allowed(400, 401, 403, 404, 410, 416, 500, 502),
  "interns.create": allowed(400, 401, 403, 404, 413, 500, 502),
  "interns.list": allowed(400, 401, 403, 404, 500),
  "interns.get": allowed(401, 403, 404, 500),
  "interns.update": allowed(400, 401, 403, 404, 413, 500),
  "interns.delete": allowed(400, 401, 403, 404, 413, 500, 502),
  "interns.provision": allowed(400, 401, 403, 404, 413, 500, 502),
  "interns.suspend": allowed(400, 401, 403, 404, 413, 500, 502)
}

/** Whose 401 has the words of the specification, whatever is wrong with the key. */
const saysMissingKey: ReadonlySet<string> = new Set(["decisions", "videos"])

/** The service itself turns these requests away, so every operation answers with them. */
const turnsAway: ReadonlySet<Refusal> = new Set([bodiesCrowded, draining])

/**
 * The same, or as the 500 of the operation where the wire has no such status for it. A box that is closing
 * or crowded turns everything away alike, for that is not the operation's answer; interns have an envelope of their own, and
 * their lists hold whatever happens.
 */
export const listed = (told: Told | undefined, refusal: Refusal): Refusal => {
  const list = told === undefined ? undefined : lists[`${told.group}.${told.name}`]
  if (told?.group === "interns" && list !== undefined) {
    return internEnvelope(told.name, list, refusal)
  }
  if (told?.group === "internChats") return internChatEnvelope(refusal)
  const group = told?.group ?? ""
  if (refusal.status === 401 && saysMissingKey.has(group)) {
    return { ...refusal, message: missingKey }
  }
  if (refusal === unsupportedType && told !== undefined && runsModels(told)) return notJson
  return list === undefined || turnsAway.has(refusal) || list.has(refusal.status)
    ? refusal
    : { ...refusal, status: 500 }
}
