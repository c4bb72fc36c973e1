/** Parses the boxes of an MP4 file by path, each without its header. */
export const parseMp4Boxes = (bytes: Buffer): ReadonlyMap<string, Buffer> => {
  const found = new Map<string, Buffer>()
  collect(bytes, "", found)
  return found
}

const collect = (bytes: Buffer, path: string, found: Map<string, Buffer>): void => {
  let at = 0
  while (at < bytes.length) {
    const length = bytes.readUInt32BE(at)
    if (length < 8 || at + length > bytes.length) {
      throw new Error(`a box below "${path}" has ${length} of ${bytes.length - at} bytes`)
    }
    const type = bytes.toString("latin1", at + 4, at + 8)
    const body = bytes.subarray(at + 8, at + length)
    found.set(path + type, body)
    if (containers.has(type)) collect(body, `${path}${type}/`, found)
    at += length
  }
}

const containers = new Set(["moov", "trak", "mdia", "minf", "dinf", "stbl"])
