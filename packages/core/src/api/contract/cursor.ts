/** Encodes a position in a list as an opaque cursor. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Base64Url from "effect/encoding/Base64Url"
import type { GenerationPosition } from "../../engine/observability/generations/GenerationFilter.ts"
import { GenerationId } from "../../values/ids/GenerationId.ts"
import { type Parameter, parseOne, quote, toParameter } from "./ParameterRule.ts"

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
export const encodeGenerationCursor = ({ id, startedAt }: GenerationPosition): string =>
  Base64Url.encode(`after:${startedAt}:${id}`)

/** Undefined unless `encodeGenerationCursor` produced the text. */
export const parseGenerationCursor = (cursor: string): GenerationPosition | undefined => {
  const text = Result.getOrElse(Base64Url.decodeString(cursor), () => "")
  const [, startedAt, id] = /^after:(\d{1,16}):(.+)$/.exec(text) ?? []
  return startedAt === undefined || id === undefined
    ? undefined
    : { startedAt: Number(startedAt), id: GenerationId.make(id) }
}

/** Stays text because clients pass `next_cursor` back unchanged. */
export const generationCursorParameter: Parameter<string> = Schema.optionalKey(
  toParameter(Schema.String, {
    parse: parseOne((text) =>
      parseGenerationCursor(text) === undefined
        ? Result.fail(`must be the next_cursor of the previous page; got ${quote(text)}`)
        : Result.succeed(text)
    ),
    jsonSchema: { type: "string", description: "The `next_cursor` of the previous page." }
  })
)
