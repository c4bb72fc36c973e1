/** Parses edits in the form of OpenAI's API: https://platform.openai.com/docs/api-reference/images/createEdit. */
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import {
  type ParseOptions,
  type ParseResult,
  requireJsonObject
} from "../../routing/parseRequest.ts"
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import { decodeImageRequest, type ParsedImages } from "./parseImageRequest.ts"

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
  return decodeImageRequest(
    {
      ...fields,
      input_references: all,
      ...(masking === undefined ? undefined : { mask: masking })
    },
    options
  )
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
