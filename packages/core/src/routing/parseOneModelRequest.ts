/** Parses requests whose items one model answers together: texts to embed, documents to rerank. */
import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import { findMediaProblem } from "../engine/outbound/findMediaProblem.ts"
import type { InvalidRequest } from "../values/errors/RequestErrors.ts"
import type { SettingsShape } from "../instance/Settings.ts"
import type { Screenable } from "./filters/ContentFilters.ts"
import { findPreferenceProblem } from "./Preferences.ts"
import type { RequestLabels } from "./record/toGeneration.ts"
import {
  decodeFields,
  failInvalid,
  findSizeProblem,
  omitNull,
  type ParseOptions,
  type ParseResult,
  requireJsonObject
} from "./parseRequest.ts"
import { splitParameters } from "./splitParameters.ts"

/** A valid request, with the fields of the router apart from the parameters of the model. */
export interface OneModelRequest<Fields extends RequestLabels, Item> extends Screenable {
  readonly request: Fields
  readonly items: ReadonlyArray<Item>
  /** Further parameters of the model, as the caller wrote them. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** Fields that no provider is sent; absent: none. */
  readonly ignored?: ReadonlyArray<string>
  /** UTF-8 bytes of the whole request. */
  readonly bytes: number
}

/** Makes a decoder of JSON that has been read already. A field that is null counts as absent, because clients mean that. */
export const makeOneModelDecoder = <Fields extends RequestLabels, Item>({
  decode,
  fieldNames,
  items,
  parseItems
}: {
  /** Decodes every field of the router besides the items. */
  readonly decode: (fields: unknown) => Result.Result<Fields, Schema.SchemaError>
  readonly fieldNames: ReadonlyArray<string>
  /** The name of the field with the items. */
  readonly items: string
  readonly parseItems: (
    json: unknown,
    settings: SettingsShape
  ) => Result.Result<ReadonlyArray<Item>, InvalidRequest>
}) => {
  const known = new Set([...fieldNames, items, "stream"])
  return (json: unknown, options: ParseOptions): ParseResult<OneModelRequest<Fields, Item>> => {
    const tooLarge = findSizeProblem(options, "maxChatBodyBytes")
    if (tooLarge !== undefined) return Result.fail(tooLarge)
    const body = requireJsonObject(json)
    if (Result.isFailure(body)) return Result.fail(body.failure)
    const fields = omitNull(body.success)
    // Vectors and scores of two models cannot be compared, so there are no other models to fall back to.
    if (fields["models"] !== undefined) {
      return failInvalid(
        ["models"],
        "must be left out, because one model answers the whole request"
      )
    }
    if (fields["stream"] !== undefined && fields["stream"] !== false) {
      return failInvalid(["stream"], "must be left out, because the answer is not streamed")
    }
    const problem = findPreferenceProblem(fields["provider"])
    if (problem !== undefined) return Result.fail(problem)
    const parsed = parseItems(fields[items], options.settings)
    if (Result.isFailure(parsed)) return Result.fail(parsed.failure)
    const { ignored, parameters } = splitParameters(fields, (name) => known.has(name))
    const found = findMediaProblem(parameters, options.settings)
    if (found !== undefined) return failInvalid(found.path, found.problem)
    return Result.map(decodeFields(decode, fields, options), (request) => ({
      request,
      items: parsed.success,
      parameters,
      ...(ignored === undefined ? undefined : { ignored }),
      bytes: options.bytes
    }))
  }
}
