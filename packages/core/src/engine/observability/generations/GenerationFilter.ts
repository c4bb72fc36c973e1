/** Which generations a list returns, and where its pages begin. */
import type { GenerationId } from "../../../values/ids/GenerationId.ts"
import type { AccountId } from "../../../values/ids/Ids.ts"
import type { OperationName } from "../../../values/OperationName.ts"
import { getTag } from "../../../values/Tags.ts"
import type { Generation } from "./Generation.ts"

/** Selects generations of an account; absent fields match all. */
export interface GenerationFilter {
  readonly account: AccountId
  /** Requests that began at this time or later, in milliseconds since the epoch. */
  readonly from?: number
  /** Requests that began before this time, in milliseconds since the epoch. */
  readonly to?: number
  readonly workspace?: string
  readonly key?: string
  /** The acting user. */
  readonly user?: string
  /** The `user` of the request. */
  readonly externalUser?: string
  /** A tag of the caller. */
  readonly tag?: { readonly key: string; readonly value: string }
  readonly session?: string
  /** The `x-request-id` of the response. */
  readonly request?: string
  /** The model that answered, else the requested one. */
  readonly model?: string
  /** The name of a provider that answered or was tried, even if another one answered. */
  readonly provider?: string
  /** The id of an endpoint that was tried, even if another one answered. */
  readonly endpoint?: string
  readonly operation?: OperationName
  /** The id of the preset that the request named. */
  readonly preset?: string
  /** `answered`, `failed` for any error, or the tag of an error. */
  readonly outcome?: string
}

/** The position of a generation in lists, the latest first. */
export interface GenerationPosition {
  readonly startedAt: number
  readonly id: GenerationId
}

/** Asks for one page of a list. */
export interface GenerationPageRequest {
  /** At most this many, at least 1. */
  readonly limit: number
  /** Only generations behind this one: the `next` of the page before. */
  readonly after?: GenerationPosition
}

/** One page of a list. */
export interface GenerationPage {
  /** By the begin of their requests, in the order of the list. */
  readonly rows: ReadonlyArray<Generation>
  /** Where the next page begins; absent on the last page. */
  readonly next?: GenerationPosition
}

/** The values of a generation that filters compare. */
export const toFilterValues = ({
  error = "answered",
  externalUser,
  keyHash,
  model,
  operation,
  preset,
  provider,
  requestId,
  requestedModel,
  session,
  user,
  workspace
}: Generation) => ({
  workspace,
  key: keyHash,
  user,
  externalUser,
  session,
  request: requestId,
  model: model ?? requestedModel,
  provider,
  operation,
  preset,
  outcome: error
})

/** Whether an attempt of the request was made at the endpoint. */
export const hasTried = ({ attempts }: Generation, endpoint: string): boolean =>
  attempts.some((attempt) => attempt.endpoint === endpoint)

/** Whether the provider answered, or an attempt was made there. */
export const concernsProvider = ({ attempts, provider }: Generation, name: string): boolean =>
  provider === name || attempts.some((attempt) => attempt.provider === name)

/** Whether the caller of the request had the tag. */
export const hasTag = (
  { tags }: Generation,
  { key, value }: NonNullable<GenerationFilter["tag"]>
): boolean => getTag(tags, key) === value

/** Takes a page from generations that are in order: the whole list, or at least the first `limit + 1` that match. */
export const toGenerationPage = (
  ordered: ReadonlyArray<Generation>,
  { limit }: GenerationPageRequest
): GenerationPage => {
  const rows = ordered.slice(0, limit)
  const last = rows.at(-1)
  return last === undefined || ordered.length <= limit
    ? { rows }
    : { rows, next: { startedAt: last.startedAt, id: last.id } }
}
