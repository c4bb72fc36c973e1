/** Adapts a request for images to an endpoint: what it is sent there, and what it costs at most. */
import type { Configuration } from "../../engine/catalog/Configuration.ts"
import type { ImageTerms, ParameterRange } from "../../engine/catalog/endpoint/ImageTerms.ts"
import * as Price from "../../engine/catalog/endpoint/Price.ts"
import { UpstreamDefect } from "../../engine/upstreams/failures/UpstreamFailure.ts"
import type { ImageCall, ImageCapability } from "../../engine/upstreams/ImageCapability.ts"
import {
  findAspectRatio,
  parsePixelSize,
  parseResolution
} from "../../engine/upstreams/images/imageSize.ts"
import type { Candidate } from "../../routing/Candidate.ts"
import type { RouteTarget } from "../../routing/RouteWork.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import type { TokenUsage } from "../../values/usage/TokenUsage.ts"
import { readImageFile } from "./imageFile.ts"
import type { ImageLook, ParsedImages } from "./parseImageRequest.ts"
import {
  computeImageCost,
  type ImageCounts,
  listPriceLines,
  selectDearestLines
} from "./priceImages.ts"

/** The parameters of a request that are the same at all providers, by their names. */
export const listParameters = ({
  items,
  look,
  n,
  request: { mask, output_compression, seed }
}: ParsedImages): Readonly<Record<string, string | number>> =>
  omitUndefined({
    n: n === 1 ? undefined : n,
    ...look,
    output_compression,
    seed,
    input_references: items.length === 0 ? undefined : items.length,
    mask: mask === undefined ? undefined : "sent"
  })

/** The parameters without which an image would be another one, with their values: `n=4`. Lists of supported ones have both forms. */
export const listConditions = (parsed: ParsedImages): ReadonlyArray<string> => {
  const { seed: _, ...parameters } = listParameters(parsed)
  return Object.entries(parameters).map(([name, value]) => toCondition(name, value))
}

const toCondition = (name: string, value: string | number): string => `${name}=${value}`

/**
 * A copy of the candidate whose price is the most that the request may cost there, and whose parameters are those of images.
 * A defect in the provider's code makes the price unknown, and is passed to `onDefect`.
 */
export const fitCandidate =
  (
    parsed: ParsedImages,
    getUpstreams: () => Configuration["upstreams"],
    onDefect: (defect: UpstreamDefect) => void
  ) =>
  (candidate: Candidate): Candidate => {
    const { endpoint } = candidate
    const capability = getUpstreams().get(endpoint.provider)?.images
    const price = Price.makeTotal(
      capability === undefined
        ? undefined
        : computeMost(parsed, { candidate, capability }, onDefect)
    )
    return {
      ...candidate,
      // Callers cap the price of one image, too.
      price: {
        ...price,
        approximate: { ...price.approximate, image: price.approximate.request / parsed.n }
      },
      endpoint: { ...endpoint, supportedParameters: listSupported(parsed, endpoint.images) }
    }
  }

const computeMost = (
  parsed: ParsedImages,
  target: RouteTarget<ImageCapability>,
  onDefect: (defect: UpstreamDefect) => void
) => {
  const { images, price } = target.candidate.endpoint
  try {
    const lines = selectDearestLines(listPriceLines({ images, price }), parsed.look)
    return computeImageCost(lines, estimateTokens(parsed, target), countAtMost(parsed), true)
  } catch (defect) {
    if (!(defect instanceof UpstreamDefect)) throw defect
    onDefect(defect)
    return undefined
  }
}

const estimateTokens = (parsed: ParsedImages, target: RouteTarget<ImageCapability>): TokenUsage =>
  target.capability.estimateWorstCase(toImageCall(parsed, target))

/** The most that the request may use there. */
export const estimateUsage = (
  parsed: ParsedImages,
  target: RouteTarget<ImageCapability>
): TokenUsage => {
  const { images, pixels, references } = countAtMost(parsed)
  return {
    ...estimateTokens(parsed, target),
    requests: 1,
    outputImages: images,
    outputPixels: pixels,
    ...(references === 0 ? undefined : { images: references })
  }
}

/** What the request may make at most. */
export const countAtMost = ({
  items,
  look,
  n
}: ParsedImages): ImageCounts & { pixels: number } => ({
  images: n,
  pixels: n * findMaxPixels(look),
  references: items.length,
  referencePixels: sumPixels(items)
})

/** The most pixels of one image of this look: models round sizes that they choose themselves, up to the double. */
export const findMaxPixels = ({ resolution, size }: ImageLook): number => {
  const pixels = size === undefined ? undefined : parsePixelSize(size)
  if (pixels !== undefined) return pixels.width * pixels.height
  const side = resolution === undefined ? undefined : parseResolution(resolution)
  return side === undefined ? largestImage : 2 * side * side
}

/** A square of 4K. */
const largestImage = 4_096 * 4_096

/** Undefined unless all are files with a known size. */
const sumPixels = (addresses: ReadonlyArray<string>): number | undefined => {
  let sum = 0
  for (const address of addresses) {
    const [, base64] = /^data:[^,]*;base64,/i.test(address) ? splitAddress(address) : []
    const pixels = base64 === undefined ? undefined : readImageFile(base64).pixels
    if (pixels === undefined) return undefined
    sum += pixels.width * pixels.height
  }
  return sum
}

const splitAddress = (address: string): readonly [string, string] => {
  const at = address.indexOf(",") + 1
  // The size is at the beginning.
  return [address.slice(0, at), address.slice(at, at + 400_000)]
}

/** Undefined: unknown, and every parameter is sent. */
const listSupported = (
  parsed: ParsedImages,
  terms: ImageTerms | undefined
): ReadonlySet<string> | undefined => {
  if (terms?.parameters === undefined) return undefined
  const supported = new Set([...Object.keys(terms.parameters), ...(terms.passthrough ?? [])])
  // A size is sent as the ratio that it has, where the endpoint takes no pixels.
  if (supported.has("aspect_ratio")) supported.add("size")
  for (const [name, value] of Object.entries(listParameters(parsed))) {
    if (isTaken(name, value, terms.parameters)) supported.add(toCondition(name, value))
  }
  return supported
}

/** What a request for images need not say. */
const softParameters: ReadonlySet<string> = new Set([
  "background",
  "output_compression",
  "output_format",
  "quality",
  "resolution",
  "seed"
])

const isTaken = (
  name: string,
  value: string | number,
  parameters: Readonly<Record<string, ParameterRange>>
): boolean => {
  const range = Object.hasOwn(parameters, name) ? parameters[name] : undefined
  if (range !== undefined) return isInRange(value, range)
  const ratios = name === "size" ? parameters["aspect_ratio"] : undefined
  if (ratios !== undefined) {
    return (
      ratios.type !== "enum" ||
      findAspectRatio({ size: String(value) }, ratios.values) !== undefined
    )
  }
  // What an endpoint does not list is left out, where the image is the requested one all the same.
  return softParameters.has(name)
}

const isInRange = (value: string | number, range: ParameterRange): boolean => {
  switch (range.type) {
    case "enum":
      return range.values.some((each) => each.toLowerCase() === String(value).toLowerCase())
    case "range":
      return Number(value) >= range.min && Number(value) <= range.max
    case "boolean":
      return true
  }
}

/** What the endpoint is asked, with the parameters that it takes. */
export const toImageCall = (
  { items, look, n, parameters, request }: ParsedImages,
  {
    candidate: { endpoint },
    credential
  }: Pick<RouteTarget<ImageCapability>, "candidate" | "credential">
): ImageCall => {
  const { images, maxCompletionTokens, provider, upstreamModel } = endpoint
  const { mask, output_compression, partial_images, provider: preferences, seed } = request
  const isListed = (name: string) =>
    images?.parameters === undefined ||
    Object.hasOwn(images.parameters, name) ||
    images.passthrough?.includes(name) === true
  const own = findOwn(preferences?.options, provider) ?? {}
  const others = Object.fromEntries(
    Object.entries({ ...parameters, ...own }).filter(([name]) => isListed(name))
  )
  const take = <A>(name: string, value: A | undefined): A | undefined =>
    isListed(name) ? value : undefined
  const ratios = images?.parameters?.["aspect_ratio"]
  const fromSize =
    isListed("size") || ratios?.type !== "enum" ? undefined : findAspectRatio(look, ratios.values)
  return {
    model: upstreamModel,
    prompt: request.prompt,
    n,
    references: items,
    parameters: others,
    ...omitUndefined({
      size: take("size", look.size),
      resolution: take("resolution", look.resolution),
      aspectRatio: fromSize ?? take("aspect_ratio", look.aspect_ratio),
      quality: take("quality", look.quality),
      background: take("background", look.background),
      outputFormat: take("output_format", look.output_format),
      outputCompression: take("output_compression", output_compression),
      seed: take("seed", seed),
      mask,
      maxOutputTokens: maxCompletionTokens,
      credential,
      previews: partial_images
    })
  }
}

const findOwn = (
  options: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined,
  provider: string
): Readonly<Record<string, unknown>> | undefined =>
  options !== undefined && Object.hasOwn(options, provider) ? options[provider] : undefined
