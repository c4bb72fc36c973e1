/** Paging parameters with their bounds and defaults, and their conversion to requests of the stores. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { CursorRequest } from "../../values/pages/CursorPage.ts"
import type { OffsetRequest } from "../../values/pages/OffsetPage.ts"
import { parseCursor } from "./cursor.ts"
import { type Parameter, parseOne, quote, toParameter } from "./ParameterRule.ts"
import { integerParameter, textParameter } from "./queryParameters.ts"

/** Stays text because clients pass `next_cursor` back unchanged. */
const cursorParameter: Parameter<string> = Schema.optionalKey(
  toParameter(Schema.String, {
    parse: parseOne((text) =>
      parseCursor(text) === undefined
        ? Result.fail(`must be the next_cursor of the previous page; got ${quote(text)}`)
        : Result.succeed(text)
    ),
    jsonSchema: { type: "string", description: "The `next_cursor` of the previous page." }
  })
)

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
