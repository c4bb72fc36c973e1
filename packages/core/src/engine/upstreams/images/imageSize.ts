/** Converts between sizes in pixels, resolutions and aspect ratios of images, because each provider has some of them. */

/** Width and height in pixels. */
export interface PixelSize {
  readonly width: number
  readonly height: number
}

/** Undefined for anything but `<width>x<height>` with numbers of 1 to 5 digits. */
export const parsePixelSize = (size: string): PixelSize | undefined => {
  const [, width, height] = /^(\d{1,5})x(\d{1,5})$/i.exec(size) ?? []
  if (width === undefined || height === undefined) return undefined
  return Number(width) === 0 || Number(height) === 0
    ? undefined
    : { width: Number(width), height: Number(height) }
}

/** The length in pixels of the side of a square of a resolution, such as 1024 of `1K`; undefined: unknown. */
export const parseResolution = (resolution: string): number | undefined => {
  const [, digits, thousand] = /^(\d{1,5})(k?)$/i.exec(resolution) ?? []
  if (digits === undefined || Number(digits) === 0) return undefined
  return Number(digits) * (thousand === "" ? 1 : 1024)
}

/** Width divided by height; undefined for anything but a ratio such as `16:9` or `19.5:9`. */
export const parseRatio = (ratio: string): number | undefined => {
  const [, across, down] = /^(\d{1,4}(?:\.\d{1,4})?):(\d{1,4}(?:\.\d{1,4})?)$/.exec(ratio) ?? []
  const value = Number(across) / Number(down)
  return value > 0 && value < Infinity ? value : undefined
}

/** Models round to multiples of 8 to 64 pixels, so 1344x768 counts as 16:9 and 1792x1024 too. */
const ratioTolerance = 0.04

export const hasRatio = ({ height, width }: PixelSize, ratio: string): boolean => {
  const wanted = parseRatio(ratio)
  return wanted !== undefined && Math.abs(width / height / wanted - 1) <= ratioTolerance
}

/** Whether it has about as many pixels as a square of the resolution: nearer to it than to a half or the double of its side. */
export const hasResolution = ({ height, width }: PixelSize, resolution: string): boolean => {
  const side = parseResolution(resolution)
  if (side === undefined) return false
  const pixels = (width * height) / (side * side)
  return pixels > 0.5 && pixels <= 2
}

/** The resolution of an image of this size; undefined: it has none. */
export const findResolution = (size: string): string | undefined => {
  const pixels = parsePixelSize(size)
  return pixels && ["512", "1K", "2K", "4K"].find((each) => hasResolution(pixels, each))
}

interface RequestedShape {
  readonly size?: string | undefined
  readonly aspectRatio?: string | undefined
}

/** The nearest of `sizes` to what a call asks for; undefined: it asks for nothing, or for a size that is none of them. */
export const findPixelSize = (
  { aspectRatio, size }: RequestedShape,
  sizes: ReadonlyArray<string>
): string | undefined => {
  if (size !== undefined) return sizes.find((each) => each === size.toLowerCase())
  const ratio = aspectRatio === undefined ? undefined : parseRatio(aspectRatio)
  return ratio === undefined ? undefined : findNearest(ratio, sizes, toSizeRatio)
}

/** The ratio of `ratios` that a call asks for, also by its size; undefined: it asks for none, or for another one. */
export const findAspectRatio = (
  { aspectRatio, size }: RequestedShape,
  ratios: ReadonlyArray<string>
): string | undefined => {
  if (aspectRatio !== undefined) return ratios.find((each) => each === aspectRatio)
  const pixels = size === undefined ? undefined : parsePixelSize(size)
  if (pixels === undefined) return undefined
  const nearest = findNearest(pixels.width / pixels.height, ratios, (each) => parseRatio(each) ?? 1)
  return nearest !== undefined && hasRatio(pixels, nearest) ? nearest : undefined
}

const toSizeRatio = (size: string): number => {
  const { height, width } = parsePixelSize(size) ?? { width: 1, height: 1 }
  return width / height
}

const findNearest = (
  ratio: number,
  names: ReadonlyArray<string>,
  toRatio: (name: string) => number
): string | undefined => {
  const getDistance = (name: string) => Math.abs(Math.log(toRatio(name) / ratio))
  return names.toSorted((one, other) => getDistance(one) - getDistance(other))[0]
}
