/** Reads the kind and the size of an image from the beginning of its file. */
import type { PixelSize } from "../../engine/upstreams/images/imageSize.ts"

/** What the beginning of a file says; absent: it does not. */
export interface ImageFile {
  /** Such as `image/png`. */
  readonly mediaType?: string
  readonly pixels?: PixelSize
}

/** Of a file in base64; the text may have megabytes, of which the beginning is decoded. */
export const readImageFile = (base64: string): ImageFile => {
  const head = decodeHead(base64, 64)
  const kind = kinds.find(({ matches }) => matches(head))
  if (kind === undefined) return {}
  const pixels = kind.read(base64, head)
  return { mediaType: kind.mediaType, ...(pixels === undefined ? undefined : { pixels }) }
}

/** Whether a text is base64 of RFC 4648, section 4, of at least one byte. */
export const isBase64 = (text: string): boolean =>
  text.length > 0 && text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)

interface Kind {
  readonly mediaType: string
  readonly matches: (head: Uint8Array) => boolean
  readonly read: (base64: string, head: Uint8Array) => PixelSize | undefined
}

/** Undefined where a size would be 0. */
const toSize = (width: number, height: number): PixelSize | undefined =>
  width > 0 && height > 0 ? { width, height } : undefined

const readText = (bytes: Uint8Array, from: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(from, from + length))

const toView = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

const kinds: ReadonlyArray<Kind> = [
  {
    // https://www.w3.org/TR/png-3/#11IHDR
    mediaType: "image/png",
    matches: (head) => readText(head, 1, 3) === "PNG",
    read: (_, head) =>
      head.length < 24 ? undefined : toSize(toView(head).getUint32(16), toView(head).getUint32(20))
  },
  {
    mediaType: "image/jpeg",
    matches: (head) => head[0] === 0xff && head[1] === 0xd8,
    read: (base64) => readJpegSize(decodeHead(base64, maxJpegHead))
  },
  {
    // https://developers.google.com/speed/webp/docs/riff_container
    mediaType: "image/webp",
    matches: (head) => readText(head, 0, 4) === "RIFF" && readText(head, 8, 4) === "WEBP",
    read: (_, head) => (head.length < 30 ? undefined : readWebpSize(head))
  },
  {
    mediaType: "image/gif",
    matches: (head) => readText(head, 0, 4) === "GIF8",
    read: (_, head) =>
      head.length < 10
        ? undefined
        : toSize(toView(head).getUint16(6, true), toView(head).getUint16(8, true))
  },
  {
    mediaType: "image/svg+xml",
    matches: (head) => /^\s*(?:<\?xml|<svg|<!DOCTYPE svg)/i.test(readText(head, 0, 64)),
    read: () => undefined
  }
]

/** Metadata before the size of a JPEG rarely has more. */
const maxJpegHead = 262_144

/** https://www.w3.org/Graphics/JPEG/itu-t81.pdf, table B.1: a frame header has the size. */
const readJpegSize = (bytes: Uint8Array): PixelSize | undefined => {
  const view = toView(bytes)
  let at = 2
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0
    const isFrame =
      marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) return toSize(view.getUint16(at + 7), view.getUint16(at + 5))
    // A marker may be preceded by any number of fill bytes.
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2)
  }
  return undefined
}

const readWebpSize = (head: Uint8Array): PixelSize | undefined => {
  const view = toView(head)
  const read24 = (at: number) => view.getUint16(at, true) + ((head[at + 2] ?? 0) << 16)
  switch (readText(head, 12, 4)) {
    case "VP8 ":
      return toSize(view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff)
    case "VP8L": {
      const bits = view.getUint32(21, true)
      return toSize((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1)
    }
    case "VP8X":
      return toSize(read24(24) + 1, read24(27) + 1)
    default:
      return undefined
  }
}

const decodeHead = (base64: string, bytes: number): Uint8Array => {
  const text = base64.slice(0, Math.ceil(bytes / 3) * 4)
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}
