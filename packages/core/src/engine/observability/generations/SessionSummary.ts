/** The requests of a session altogether: when they were, how many they are, and what they cost. */
import type { AccountId } from "../../../values/ids/Ids.ts"
import type { NanoUsd } from "../../../values/usage/NanoUsd.ts"
import type { GenerationFilter } from "./GenerationFilter.ts"

/** Names with the most requests first, and by code point among equals. */
export interface SessionNames {
  /** At most `maxSessionNames`. */
  readonly names: ReadonlyArray<string>
  /** How many there are altogether. */
  readonly count: number
}

/** A summary has at most this many models, and as many users. */
export const maxSessionNames = 10

/** The requests of one session in one workspace that match a filter, altogether. */
export interface SessionSummary {
  /** The `session_id` of the requests, which clients choose: other workspaces may have sessions of the same id. */
  readonly id: string
  readonly workspace: string
  /** When the first and the last request began, in milliseconds since the epoch. */
  readonly firstAt: number
  readonly lastAt: number
  /** At least 1. */
  readonly requests: number
  /** How many of them were not answered. */
  readonly failed: number
  /** Those of requests whose cost is known. Exact where no request costs more than nine million USD. */
  readonly cost: NanoUsd
  /** Of prompts and answers, where they are known. */
  readonly tokens: number
  /** The models that answered, else the requested ones. */
  readonly models: SessionNames
  /** The acting users. */
  readonly users: SessionNames
  /** The `user` of the requests. */
  readonly externalUsers: SessionNames
}

/** Selects requests of an account; absent fields match all. */
export interface SessionFilter extends Pick<
  GenerationFilter,
  "externalUser" | "key" | "model" | "session" | "to" | "user" | "workspace"
> {
  readonly account: AccountId
  /** Requests that began at this time or later, in milliseconds since the epoch. Without a session, all of them are read. */
  readonly from: number
}

/** The position of a session in lists. */
export type SessionPosition = Pick<SessionSummary, "id" | "lastAt" | "workspace">

/** Asks for one page of a list. */
export interface SessionPageRequest {
  /** At most this many, at least 1. */
  readonly limit: number
  /** Only sessions behind this one: the `next` of the page before. */
  readonly after?: SessionPosition
}

/** One page of a list. */
export interface SessionPage {
  /** The one with the latest request first; of equals, the later id and workspace by code point. */
  readonly rows: ReadonlyArray<SessionSummary>
  /** Where the next page begins; absent on the last page. */
  readonly next?: SessionPosition
}

/** Takes a page from sessions that are in order: the whole list, or at least the first `limit + 1` that match. */
export const toSessionPage = (
  ordered: ReadonlyArray<SessionSummary>,
  { limit }: Pick<SessionPageRequest, "limit">
): SessionPage => {
  const rows = ordered.slice(0, limit)
  const last = rows.at(-1)
  if (last === undefined || ordered.length <= limit) return { rows }
  const { id, lastAt, workspace } = last
  return { rows, next: { id, lastAt, workspace } }
}
