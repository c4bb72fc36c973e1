/** Paging parameters with their bounds and defaults, cursors, and their conversion to requests of the stores. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Base64Url from "effect/encoding/Base64Url"
import type { GenerationPosition } from "../../engine/observability/generations/GenerationFilter.ts"
import type { SessionPosition } from "../../engine/observability/generations/SessionSummary.ts"
import { GenerationId } from "../../values/ids/GenerationId.ts"
import type { CursorRequest } from "../../values/pages/CursorPage.ts"
import type { OffsetRequest } from "../../values/pages/OffsetPage.ts"
import { type Parameter, parseOne, quote, toParameter } from "./ParameterRule.ts"
import { integerParameter, textParameter } from "./queryParameters.ts"

/** Encodes a position in a list as an opaque cursor. */
export const encodeCursor = (position: number): string => Base64Url.encode(`after:${position}`)

/** Undefined unless `encodeCursor` produced the text. */
export const parseCursor = (cursor: string): number | undefined => {
  const text = Result.getOrElse(Base64Url.decodeString(cursor), () => "")
  const position = Number(text.slice("after:".length))
  return Number.isSafeInteger(position) && position >= 0 && encodeCursor(position) === cursor
    ? position
    : undefined
}

/** Encodes the position of a generation in lists as an opaque cursor. */
export const encodeGenerationCursor = ({ id, startedAt, value }: GenerationPosition): string =>
  Base64Url.encode(
    value === undefined ? `after:${startedAt}:${id}` : `after:${startedAt}/${value}:${id}`
  )

/** Of a sorted list it has the figure, too. */
const cursorPattern = /^after:(\d{1,16})(?:\/(\d{1,20}(?:\.\d{1,20})?(?:e[+-]\d{1,3})?))?:(.+)$/

/** Undefined unless `encodeGenerationCursor` produced the text. */
export const parseGenerationCursor = (cursor: string): GenerationPosition | undefined => {
  const text = Result.getOrElse(Base64Url.decodeString(cursor), () => "")
  const [, startedAt, value, id] = cursorPattern.exec(text) ?? []
  return startedAt === undefined || id === undefined
    ? undefined
    : {
        startedAt: Number(startedAt),
        id: GenerationId.make(id),
        ...(value === undefined ? undefined : { value: Number(value) })
      }
}

/** Encodes the position of a session in lists as an opaque cursor. */
export const encodeSessionCursor = ({ id, lastAt, workspace }: SessionPosition): string =>
  Base64Url.encode(`after:${JSON.stringify([lastAt, workspace, id])}`)

const sessionCursorPattern = /^after:\[(\d{1,16}),("(?:[^"\\]|\\.)*"),("(?:[^"\\]|\\.)*")\]$/

/** Undefined unless `encodeSessionCursor` produced the text. */
export const parseSessionCursor = (cursor: string): SessionPosition | undefined => {
  const text = Result.getOrElse(Base64Url.decodeString(cursor), () => "")
  const [, lastAt, workspace, id] = sessionCursorPattern.exec(text) ?? []
  if (lastAt === undefined || workspace === undefined || id === undefined) return undefined
  try {
    return { lastAt: Number(lastAt), workspace: JSON.parse(workspace), id: JSON.parse(id) }
  } catch {
    return undefined
  }
}

/** Stays text because clients pass `next_cursor` back unchanged. */
const toCursorParameter = (parse: (text: string) => unknown): Parameter<string> =>
  Schema.optionalKey(
    toParameter(Schema.String, {
      parse: parseOne((text) =>
        parse(text) === undefined
          ? Result.fail(`must be the next_cursor of the previous page; got ${quote(text)}`)
          : Result.succeed(text)
      ),
      jsonSchema: { type: "string", description: "The `next_cursor` of the previous page." }
    })
  )

const cursorParameter = toCursorParameter(parseCursor)
export const generationCursorParameter = toCursorParameter(parseGenerationCursor)
export const sessionCursorParameter = toCursorParameter(parseSessionCursor)

interface PageSizes {
  readonly maximum?: number
  readonly default?: number
}

const limitParameter = ({ default: perPage = 50, maximum = 100 }: PageSizes) =>
  integerParameter({
    minimum: 1,
    maximum,
    default: perPage,
    description: "Number of items to return."
  })

/** The parameters of lists that are paged by offset. */
export const makePageQuery = ({
  maxOffset,
  ...sizes
}: PageSizes & { readonly maxOffset?: number } = {}) => ({
  offset: integerParameter({
    minimum: 0,
    ...(maxOffset === undefined ? undefined : { maximum: maxOffset }),
    default: 0,
    description: "Number of items to skip."
  }),
  limit: limitParameter(sizes)
})

export const pageQuery = makePageQuery()

/** The parameters of lists of resources that belong to a workspace. */
export const workspacePageQuery = {
  ...pageQuery,
  workspace_id: textParameter(
    "Id or slug of a workspace. Default: the account's default workspace."
  )
}

export const toOffsetRequest = ({ limit, offset }: OffsetRequest): OffsetRequest => ({
  offset,
  limit
})

/** The parameters of lists that are paged by cursors. */
export const makeCursorQuery = (sizes: PageSizes = {}) => ({
  starting_after: cursorParameter,
  limit: limitParameter(sizes)
})

export const cursorQuery = makeCursorQuery()

export const toCursorRequest = ({
  limit,
  starting_after = ""
}: {
  readonly limit: number
  readonly starting_after?: string
}): CursorRequest => {
  const after = parseCursor(starting_after)
  return { limit, ...(after === undefined ? undefined : { after }) }
}
