/** Decompresses request bodies with zlib. */
import { pipeline, Readable, type Transform } from "node:stream"
import type { Inflater } from "@signalbox/core/adapter"

/** Loaded with the first compressed body. */
const loadZlib = () => process.getBuiltinModule("node:zlib")

const decompressors: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ["gzip", () => loadZlib().createGunzip()],
  ["deflate", () => loadZlib().createInflate()],
  ["br", () => loadZlib().createBrotliDecompress()]
])

/** Decompresses only as much as is read, because an unread stream pauses. */
export const inflater: Inflater = {
  codings: Array.from(decompressors.keys()),
  inflate: (coding, body) => {
    const make = decompressors.get(coding)
    if (make === undefined) throw new RangeError(`${coding} is not one of the codings`)
    // The last stream of a pipeline gets the errors of all of them.
    return pipeline(Readable.from(body), make(), () => {})
  }
}
