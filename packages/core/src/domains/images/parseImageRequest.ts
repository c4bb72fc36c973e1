/** Parses requests for images, for HTTP and for calls in process. */
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { findMediaProblem, findMediaUrlProblem } from "../../engine/outbound/findMediaProblem.ts"
import {
  hasRatio,
  hasResolution,
  parsePixelSize,
  parseRatio,
  parseResolution
} from "../../engine/upstreams/images/imageSize.ts"
import type { OneModelRequest } from "../../routing/parseOneModelRequest.ts"
import { findPreferenceProblem } from "../../routing/Preferences.ts"
import {
  decodeFields,
  failInvalid,
  findSizeProblem,
  listUnknownFields,
  omitNull,
  type ParseOptions,
  type ParseResult,
  requireJsonObject
} from "../../routing/parseRequest.ts"
import { splitParameters } from "../../routing/splitParameters.ts"
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import { isObject, toList } from "../../values/json/guards.ts"
import { countUtf8Bytes } from "../../values/json/JsonCost.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import { estimateTextTokens } from "../../values/usage/TokenUsage.ts"
import { imageFields } from "./ImageRequest.ts"

const RoutedFields = Schema.Struct(imageFields)
type RoutedFields = typeof RoutedFields.Type

const decode = Schema.decodeUnknownResult(RoutedFields)

/** Whether a field has a meaning of its own, so that it is no parameter of a provider. */
export const isImageField = (name: string): boolean => Object.hasOwn(imageFields, name)

/** What an image is to look like, in the fields that endpoints may be particular about; absent: not said. */
export interface ImageLook {
  /** `<width>x<height>` in pixels. */
  readonly size?: string
  readonly resolution?: string
  readonly aspect_ratio?: string
  readonly quality?: string
  readonly background?: string
  readonly output_format?: string
}

/** A valid request; its items are the addresses of its references. */
export interface ParsedImages extends OneModelRequest<RoutedFields, string> {
  /** How many images to make at most. */
  readonly n: number
  readonly look: ImageLook
  /** Estimated tokens of the prompt. */
  readonly inputTokens: number
}

export const decodeImageRequest = (
  json: unknown,
  options: ParseOptions
): ParseResult<ParsedImages> => {
  const tooLarge = findSizeProblem(options, "maxChatBodyBytes")
  if (tooLarge !== undefined) return Result.fail(tooLarge)
  const body = requireJsonObject(json)
  if (Result.isFailure(body)) return Result.fail(body.failure)
  const fields = omitNull(body.success)
  if (fields["models"] !== undefined) {
    return failInvalid(["models"], "must be left out, because one model makes the images")
  }
  const { response_format: format } = fields
  if (format !== undefined && format !== "b64_json") {
    return failInvalid(
      ["response_format"],
      "must be b64_json or left out, because images are not kept at an address"
    )
  }
  const { provider } = fields
  const problem = findPreferenceProblem(
    Predicate.isObject(provider) ? Struct.omit(provider, ["options"]) : provider
  )
  if (problem !== undefined) return Result.fail(problem)
  const decoded = decodeFields(decode, fields, options)
  if (Result.isFailure(decoded)) return Result.fail(decoded.failure)
  const request = decoded.success
  const { ignored: others, parameters } = splitParameters(fields, isImageField)
  const address = findAddressProblem(request, parameters, options)
  if (address !== undefined) return Result.fail(address)
  const ignored = listIgnored(fields, others)
  return Result.map(parseLook(request), (look) => ({
    request,
    ...(ignored === undefined ? undefined : { ignored }),
    items: (request.input_references ?? []).map(({ image_url: { url } }) => url),
    parameters,
    bytes: options.bytes,
    n: request.n ?? 1,
    look,
    inputTokens: estimateTextTokens(countUtf8Bytes(request.prompt))
  }))
}

/** Providers are sent the address of a reference, and nothing else of it, which is added to `found`. */
const listIgnored = (
  fields: Readonly<Record<string, unknown>>,
  found: Array<string> | undefined
): ReadonlyArray<string> | undefined => {
  let ignored = found
  for (const [index, reference] of toList(fields["input_references"]).entries()) {
    ignored = listIgnoredOfReference(reference, ["input_references", String(index)], ignored)
  }
  return ignored
}

const referenceFields = { type: true, image_url: true }
const addressFields = { url: true }

/** Adds the paths of what is lost of a reference, which is at `path`, to `found`. */
export const listIgnoredOfReference = (
  reference: unknown,
  path: ReadonlyArray<string>,
  found?: Array<string>
): Array<string> | undefined => {
  const ignored = listUnknownFields(reference, referenceFields, path, found)
  const address = isObject(reference) ? reference["image_url"] : undefined
  return listUnknownFields(address, addressFields, [...path, "image_url"], ignored)
}

/** Providers, or the router for them, fetch addresses of references; a provider is sent its own options as they are. */
const findAddressProblem = (
  { input_references = [], mask, provider }: RoutedFields,
  parameters: ParsedImages["parameters"],
  { settings }: ParseOptions
): InvalidRequest | undefined => {
  for (const [
    index,
    {
      image_url: { url }
    }
  ] of input_references.entries()) {
    const path = ["input_references", index, "image_url", "url"]
    const problem = findImageProblem(url, settings)
    if (problem !== undefined) return toProblem(path, problem)
  }
  const masked = mask === undefined ? undefined : findImageProblem(mask, settings)
  if (masked !== undefined) return toProblem(["mask"], masked)
  if (mask !== undefined && input_references.length === 0) {
    return toProblem(["mask"], "needs an image in input_references that it is for")
  }
  const option = findMediaProblem(provider?.options, settings, "options")
  if (option !== undefined)
    return toProblem(["provider", "options", ...option.path], option.problem)
  const found = findMediaProblem(parameters, settings)
  return found === undefined ? undefined : toProblem(found.path, found.problem)
}

/** Of an address that upstreams can send as a file. */
const findImageProblem = (
  address: string,
  settings: ParseOptions["settings"]
): string | undefined =>
  // A file may have megabytes.
  !/^data:/i.test(address) ||
  /^data:image\/[\w.+-]+(?:;[^;,]*)*;base64,./i.test(address.slice(0, 256))
    ? findMediaUrlProblem(address, settings)
    : "must be an image in base64, such as data:image/png;base64,iVBORw0KGgo"

const toProblem = (path: ReadonlyArray<string | number>, problem: string): InvalidRequest =>
  new InvalidRequest({ path, problem })

/**
 * A size in pixels is the whole truth, so a resolution or an aspect ratio that says otherwise is a mistake; a resolution as the
 * `size` goes together with an aspect ratio: https://openrouter.ai/docs/guides/overview/multimodal/image-generation.
 */
const parseLook = (request: RoutedFields): Result.Result<ImageLook, InvalidRequest> => {
  const size = omitAuto(request.size)
  const aspect = omitAuto(request.aspect_ratio)
  const resolution = omitAuto(request.resolution)
  if (aspect !== undefined && parseRatio(aspect) === undefined) {
    return failInvalid(["aspect_ratio"], "must be a ratio such as 16:9, or auto")
  }
  if (resolution !== undefined && parseResolution(resolution) === undefined) {
    return failInvalid(["resolution"], "must be one such as 512, 1K, 2K or 4K, or auto")
  }
  const others = omitUndefined({
    quality: omitAuto(request.quality),
    background: omitAuto(request.background),
    output_format: request.output_format
  })
  const pixels = size === undefined ? undefined : parsePixelSize(size)
  if (size === undefined || pixels === undefined) {
    if (size !== undefined && parseResolution(size) === undefined) {
      return failInvalid(
        ["size"],
        "must be pixels such as 1024x1024, a resolution such as 2K, or auto"
      )
    }
    if (size !== undefined && resolution !== undefined && !isSameResolution(size, resolution)) {
      return failInvalid(
        ["resolution"],
        `${resolution} contradicts the size ${size}; state one of them`
      )
    }
    return Result.succeed({
      ...others,
      ...omitUndefined({ resolution: resolution ?? size, aspect_ratio: aspect })
    })
  }
  if (aspect !== undefined && !hasRatio(pixels, aspect)) {
    return failInvalid(
      ["aspect_ratio"],
      `${aspect} contradicts the size ${size}; state one of them`
    )
  }
  if (resolution !== undefined && !hasResolution(pixels, resolution)) {
    return failInvalid(
      ["resolution"],
      `${resolution} contradicts the size ${size}; state one of them`
    )
  }
  return Result.succeed({
    ...others,
    size: `${pixels.width}x${pixels.height}`,
    ...omitUndefined({ resolution, aspect_ratio: aspect })
  })
}

const isSameResolution = (one: string, other: string): boolean =>
  parseResolution(one) === parseResolution(other)

/** The choice of the model is the same as none. */
const omitAuto = (value: string | undefined): string | undefined =>
  value === "auto" ? undefined : value
