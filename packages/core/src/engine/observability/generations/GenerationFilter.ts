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
  /** Bounds of figures; a generation whose figure is unknown is outside of any. */
  readonly figures?: Partial<Readonly<Record<GenerationFigure, FigureRange>>>
}

/**
 * Figures that generations are filtered and sorted by: milliseconds of all attempts, nano-USD, and tokens of prompt and
 * answer. Nano-USD are exact up to nine million USD.
 */
export const generationFigures = ["latency", "cost", "tokens"] as const
/** One of `generationFigures`. */
export type GenerationFigure = (typeof generationFigures)[number]

/** Both bounds are inclusive. */
export interface FigureRange {
  readonly min?: number
  readonly max?: number
}

/** The position of a generation in lists. */
export interface GenerationPosition {
  /** The figure that the list is sorted by; absent without a sort, or when it is unknown. */
  readonly value?: number
  readonly startedAt: number
  readonly id: GenerationId
}

/** Asks for one page of a list. */
export interface GenerationPageRequest {
  /** At most this many, at least 1. */
  readonly limit: number
  /** Only generations behind this one: the `next` of the page before. */
  readonly after?: GenerationPosition
  /** The highest figure first, and unknown ones last; absent: the latest first. Reads all generations of the filter's time. */
  readonly sort?: GenerationFigure
}

/** One page of a list. */
export interface GenerationPage {
  /** In the order of the list. */
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

/** Absent when unknown. */
export const toFigures = ({
  cost,
  latencyMillis,
  usage
}: Generation): { readonly [Figure in GenerationFigure]?: number } => ({
  latency: latencyMillis,
  ...(cost === undefined ? undefined : { cost: Number(cost) }),
  ...(usage === undefined ? undefined : { tokens: usage.inputTokens + usage.outputTokens })
})

/** Whether every figure is within its bounds. */
export const hasFigures = (
  generation: Generation,
  ranges: NonNullable<GenerationFilter["figures"]>
): boolean => {
  const figures = toFigures(generation)
  return generationFigures.every((name) => {
    const range = ranges[name]
    if (range === undefined) return true
    const { [name]: figure = Number.NaN } = figures
    return figure >= (range.min ?? -Infinity) && figure <= (range.max ?? Infinity)
  })
}

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
  { limit, sort }: GenerationPageRequest
): GenerationPage => {
  const rows = ordered.slice(0, limit)
  const last = rows.at(-1)
  return last === undefined || ordered.length <= limit
    ? { rows }
    : { rows, next: toPosition(last, sort) }
}

export const toPosition = (
  generation: Generation,
  sort: GenerationFigure | undefined
): GenerationPosition => {
  const { id, startedAt } = generation
  const value = sort === undefined ? undefined : toFigures(generation)[sort]
  return { startedAt, id, ...(value === undefined ? undefined : { value }) }
}
