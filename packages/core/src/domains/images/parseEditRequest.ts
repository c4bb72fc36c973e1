/** Parses edits in the form of OpenAI's API: https://platform.openai.com/docs/api-reference/images/createEdit. */
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import {
  type ParseOptions,
  type ParseResult,
  requireJsonObject
} from "../../routing/parseRequest.ts"
import { toList } from "../../values/json/guards.ts"
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import {
  decodeImageRequest,
  listIgnoredOfReference,
  type ParsedImages
} from "./parseImageRequest.ts"

/** Parses an edit, whose images become references. */
export const decodeEditRequest = (
  json: unknown,
  options: ParseOptions
): ParseResult<ParsedImages> => {
  const body = requireJsonObject(json)
  if (Result.isFailure(body)) return Result.fail(body.failure)
  const { image, images, mask, ...fields } = body.success
  const references = [...toAddresses("image", image), ...toAddresses("images", images)]
  for (const reference of references) {
    if (reference instanceof InvalidRequest) return Result.fail(reference)
  }
  if (Array.isArray(mask) && mask.length > 1) {
    return Result.fail(new InvalidRequest({ path: ["mask"], problem: "must be one image" }))
  }
  const [masking] = mask == null ? [undefined] : toAddresses("mask", mask)
  if (masking instanceof InvalidRequest) return Result.fail(masking)
  const known = Array.isArray(fields["input_references"]) ? fields["input_references"] : []
  const all = [
    ...(known as ReadonlyArray<unknown>),
    ...references.map((url) => ({ type: "image_url", image_url: { url } }))
  ]
  if (all.length === 0) {
    return Result.fail(
      new InvalidRequest({ path: ["image"], problem: "must have at least one image to edit" })
    )
  }
  const decoded = decodeImageRequest(
    {
      ...fields,
      input_references: all,
      ...(masking === undefined ? undefined : { mask: masking })
    },
    options
  )
  const ignored = listIgnored({ image, images, mask })
  return ignored === undefined
    ? decoded
    : Result.map(decoded, (parsed) => ({
        ...parsed,
        ignored: [...(parsed.ignored ?? []), ...ignored]
      }))
}

/** The images become references that have an address and nothing else. */
const listIgnored = (
  fields: Readonly<Record<string, unknown>>
): ReadonlyArray<string> | undefined => {
  let ignored: Array<string> | undefined
  for (const [name, value] of Object.entries(fields)) {
    const isMany = Array.isArray(value)
    for (const [index, each] of toList(isMany ? value : [value]).entries()) {
      ignored = listIgnoredOfReference(each, isMany ? [name, String(index)] : [name], ignored)
    }
  }
  return ignored
}

/** One address, or a list of them. A null counts as absent. */
const toAddresses = (name: string, value: unknown): ReadonlyArray<string | InvalidRequest> => {
  if (value == null) return []
  return (Array.isArray(value) ? (value as ReadonlyArray<unknown>) : [value]).map(
    (each, index) => findAddress(each) ?? toProblem(Array.isArray(value) ? [name, index] : [name])
  )
}

const findAddress = (value: unknown): string | undefined => {
  if (typeof value === "string") return value === "" ? undefined : value
  if (!Predicate.isObject(value)) return undefined
  const { image_url: address } = value
  // OpenRouter's form has one more level.
  return findAddress(Predicate.isObject(address) ? address["url"] : address)
}

const toProblem = (path: ReadonlyArray<string | number>): InvalidRequest =>
  new InvalidRequest({
    path,
    problem: "must be an https, http or data address, or an object with one as image_url"
  })
