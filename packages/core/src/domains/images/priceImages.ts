/** Prices images by the lines of an endpoint, exactly. */
import * as BigDecimal from "effect/BigDecimal"
import type { Endpoint } from "../../engine/catalog/endpoint/Endpoint.ts"
import type { ImagePrice } from "../../engine/catalog/endpoint/ImageTerms.ts"
import type { Price } from "../../engine/catalog/endpoint/Price.ts"
import { parsePriceText, type PartPrice } from "../../engine/catalog/endpoint/PriceList.ts"
import {
  hasRatio,
  hasResolution,
  parsePixelSize,
  parseRatio,
  parseResolution
} from "../../engine/upstreams/images/imageSize.ts"
import type { TokenUsage } from "../../values/usage/TokenUsage.ts"
import type { ImageLook } from "./parseImageRequest.ts"

/** One line with its price; undefined: unknown. */
export interface PriceLine extends Omit<ImagePrice, "usd"> {
  readonly usd: PartPrice
}

/** What is charged of one request, besides tokens. */
export interface ImageCounts {
  /** Made images, or as many as may be made. */
  readonly images: number
  /** Their pixels; undefined: unknown. */
  readonly pixels: number | undefined
  readonly references: number
  /** Pixels of the references; undefined: unknown. */
  readonly referencePixels: number | undefined
}

/** The lines of the endpoint, or those that follow from its price. */
export const listPriceLines = ({
  images,
  price
}: Pick<Endpoint, "images" | "price">): ReadonlyArray<PriceLine> =>
  images?.prices?.map((line) => ({ ...line, usd: parseImagePrice(line) })) ?? toPriceLines(price)

/** A price per image of a price list is one of an image in the prompt. */
const toPriceLines = ({ completion, image, others, prompt, request }: Price) => {
  const imageToken = Object.hasOwn(others, "image_token") ? others.image_token : prompt
  const drawn = Object.hasOwn(others, "image_output") ? others.image_output : completion
  const lines: ReadonlyArray<PriceLine> = [
    { billable: "input_text", unit: "token", usd: prompt },
    { billable: "input_image", unit: "token", usd: imageToken },
    { billable: "input_image", unit: "image", usd: image },
    { billable: "output_text", unit: "token", usd: completion },
    { billable: "output_image", unit: "token", usd: drawn },
    { billable: "output_image", unit: "request", usd: request }
  ]
  const isFree = ({ usd }: PriceLine) => usd !== undefined && BigDecimal.isZero(usd)
  return lines.filter((line) => !isFree(line))
}

/**
 * The lines that apply to images of this look: of those for one thing in one unit, the one that says most. Where none is for the
 * look, the dearest counts of those that are possible for what was asked, so that the cost is at most what was reserved.
 */
export const selectLines = (
  lines: ReadonlyArray<PriceLine>,
  look: ImageLook,
  asked: ImageLook = look
): ReadonlyArray<PriceLine> =>
  mapEach(lines, (group) => {
    const possible = listPossible(group, asked)
    const [first] = possible
      .filter(({ variant }) =>
        listTraits(variant).every((trait) => matchTrait(trait, look) === true)
      )
      .toSorted(byTraits)
    return first ?? findDearest(possible)
  })

/** The dearest line of each thing and unit that may apply, whatever of the look the caller leaves to the provider. */
export const selectDearestLines = (
  lines: ReadonlyArray<PriceLine>,
  asked: ImageLook
): ReadonlyArray<PriceLine> => mapEach(lines, (group) => findDearest(listPossible(group, asked)))

/** All, if the look contradicts all. */
const listPossible = (
  group: ReadonlyArray<PriceLine>,
  asked: ImageLook
): ReadonlyArray<PriceLine> => {
  const possible = group.filter(({ variant }) =>
    listTraits(variant).every((trait) => matchTrait(trait, asked) !== false)
  )
  return possible.length === 0 ? group : possible
}

const mapEach = (
  lines: ReadonlyArray<PriceLine>,
  select: (group: ReadonlyArray<PriceLine>) => PriceLine
): ReadonlyArray<PriceLine> =>
  Array.from(Map.groupBy(lines, ({ billable, unit }) => `${billable} ${unit}`).values(), select)

const byTraits = (one: PriceLine, other: PriceLine): number =>
  listTraits(other.variant).length - listTraits(one.variant).length

const findDearest = (group: ReadonlyArray<PriceLine>): PriceLine =>
  // A group has at least one line.
  group.reduce((most, line) =>
    most.usd === undefined
      ? most
      : line.usd === undefined || BigDecimal.isGreaterThan(line.usd, most.usd)
        ? line
        : most
  )

/** What a variant says, such as `high` and `1024x1024` of `high_1024x1024`. */
const listTraits = (variant = ""): ReadonlyArray<string> =>
  variant.split(/[\s_,/+]+/).filter((trait) => trait !== "")

/** Undefined: the look does not say. */
const matchTrait = (trait: string, look: ImageLook): boolean | undefined => {
  const { aspect_ratio: ratio, background, output_format: format, quality, resolution, size } = look
  const pixels = size === undefined ? undefined : parsePixelSize(size)
  if (parsePixelSize(trait) !== undefined) return matchText(trait, size)
  if (parseResolution(trait) !== undefined) {
    if (pixels !== undefined) return hasResolution(pixels, trait)
    return resolution === undefined
      ? undefined
      : parseResolution(resolution) === parseResolution(trait)
  }
  if (parseRatio(trait) !== undefined) {
    return pixels === undefined ? matchText(trait, ratio) : hasRatio(pixels, trait)
  }
  const name = trait.toLowerCase()
  if (name === "transparent" || name === "opaque") return matchText(trait, background)
  return formats.has(name) ? matchText(trait, format) : matchText(trait, quality)
}

const formats: ReadonlySet<string> = new Set(["png", "jpeg", "webp", "svg", "gif"])

const matchText = (trait: string, value: string | undefined): boolean | undefined =>
  value === undefined ? undefined : value.toLowerCase() === trait.toLowerCase()

/**
 * In USD; undefined when a price, or a count that it is for, is unknown. `isMost`: the highest cost of these counts, however the
 * tokens are split.
 */
export const computeImageCost = (
  allLines: ReadonlyArray<PriceLine>,
  { imageOutputTokens, imageTokens = 0, inputTokens, outputTokens }: TokenUsage,
  { images, pixels, referencePixels, references }: ImageCounts,
  isMost = false
): BigDecimal.BigDecimal | undefined => {
  const lines = isMost ? omitCheaperTokens(allLines) : allLines
  const hasTextLine = lines.some(isTextToken)
  // Without a count of their own, or a price for text, all tokens of an answer are images.
  const drawn = hasTextLine
    ? Math.min(imageOutputTokens ?? outputTokens, outputTokens)
    : outputTokens
  const seen = Math.min(imageTokens, inputTokens)
  const counts = new Map<string, number | undefined>([
    ["output_image image", images],
    ["output_image megapixel", pixels],
    ["output_image token", isMost ? outputTokens : drawn],
    ["output_text token", isMost ? outputTokens : outputTokens - drawn],
    ["input_image image", references],
    ["input_image megapixel", referencePixels],
    ["input_image token", seen],
    ["input_reference image", references],
    ["input_reference megapixel", referencePixels],
    ["input_reference token", seen],
    ["input_text token", inputTokens - seen]
  ])
  let sum = zero
  for (const { billable, unit, usd } of lines) {
    const key = `${billable} ${unit}`
    const count = unit === "request" ? 1 : counts.has(key) ? counts.get(key) : 0
    if (count === 0) continue
    if (count === undefined || usd === undefined) return undefined
    const amount = BigDecimal.fromBigInt(BigInt(Math.max(0, Math.ceil(count))))
    const cost = BigDecimal.multiply(amount, usd)
    sum = BigDecimal.sum(sum, unit === "megapixel" ? BigDecimal.multiply(cost, perPixel) : cost)
  }
  return sum
}

const isTextToken = ({ billable, unit }: PriceLine): boolean =>
  unit === "token" && billable === "output_text"

/** Each token of an answer is text or image, so the dearer of the two prices bounds what it costs. */
const omitCheaperTokens = (lines: ReadonlyArray<PriceLine>): ReadonlyArray<PriceLine> => {
  const written = lines.filter(
    ({ billable, unit }) => unit === "token" && billable.startsWith("output_")
  )
  if (written.length < 2) return lines
  const dearest = findDearest(written)
  return lines.filter((line) => line === dearest || !written.includes(line))
}

const zero = BigDecimal.make(0n, 0)

/** A megapixel has a million pixels. */
const perPixel = BigDecimal.make(1n, 6)

/** The price of a line that has been checked. */
const parseImagePrice = ({ usd }: Pick<ImagePrice, "usd">): BigDecimal.BigDecimal =>
  parsePriceText(usd) ?? BigDecimal.make(0n, 0)
