/** Makes small image files. */
import { crc32, deflateSync } from "node:zlib"

/**
 * A PNG of this size in base64; files with different numbers differ. It is all black, so it has few bytes:
 * https://www.w3.org/TR/png-3/.
 */
export const imageOf = (size = "1024x1024", number = 0): string => {
  const [width = 1_024, height = 1_024] = size.split("x").map(Number)
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // One bit for each pixel, in shades of grey.
  header[8] = 1
  const row = Buffer.alloc(1 + Math.ceil(width / 8))
  const rows = Buffer.concat(Array.from({ length: height }, () => row))
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    toChunk("IHDR", header),
    toChunk("tEXt", Buffer.from(`Comment\0${number}`)),
    toChunk("IDAT", deflateSync(rows)),
    toChunk("IEND", Buffer.alloc(0))
  ]).toString("base64")
}

const toChunk = (type: string, data: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(type), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}
