/** What operations tell whose wire lists fewer statuses than there are. Source: wire, operations of videos and of interns. */
import { internChatEnvelope } from "./internChatEnvelope.ts"
import { internEnvelope } from "./internEnvelope.ts"
import type { Refusal, Status } from "./Refusal.ts"
import { draining } from "./refusalOf.ts"

/** An operation by its place in the contract. */
interface Told {
  readonly group: string
  readonly name: string
}

/**
 * The lists of the wire; and 429, which exceeding the rate limit yields wherever that happens, and for videos 416,
 * which answers a header the wire does not have.
 */
const lists: Readonly<Record<string, ReadonlySet<Status>>> = {
  "videos.create": new Set<Status>([400, 401, 402, 403, 404, 413, 429, 500]),
  "videos.get": new Set<Status>([401, 403, 404, 429, 500]),
  "videos.content": new Set<Status>([400, 401, 403, 404, 409, 410, 416, 429, 500, 502]),
  "interns.create": new Set<Status>([400, 401, 403, 404, 408, 409, 413, 415, 429, 500, 502]),
  "interns.list": new Set<Status>([400, 401, 403, 404, 408, 429, 500]),
  "interns.get": new Set<Status>([401, 403, 404, 408, 429, 500]),
  "interns.update": new Set<Status>([400, 401, 403, 404, 408, 409, 413, 415, 429, 500]),
  "interns.delete": new Set<Status>([400, 401, 403, 404, 408, 409, 413, 415, 429, 500, 502]),
  "interns.provision": new Set<Status>([400, 401, 403, 404, 408, 409, 413, 415, 429, 500, 502]),
  "interns.suspend": new Set<Status>([400, 401, 403, 404, 408, 409, 413, 415, 429, 500, 502])
}

/**
 * The same, or as the 500 of the operation where the wire has no such status for it. A box that is closing
 * turns everything away alike, for that is not the operation's answer; interns have an envelope of their own, and
 * their lists hold whatever happens.
 */
export const listed = (told: Told | undefined, refusal: Refusal): Refusal => {
  const list = told === undefined ? undefined : lists[`${told.group}.${told.name}`]
  if (told?.group === "interns" && list !== undefined) {
    return internEnvelope(told.name, list, refusal)
  }
  if (told?.group === "internChats") return internChatEnvelope(refusal)
  return list === undefined || refusal === draining || list.has(refusal.status)
    ? refusal
    : { ...refusal, status: 500 }
}
