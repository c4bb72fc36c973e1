/** Decompresses request bodies with zlib. */
import { pipeline, Readable, type Transform } from "node:stream"
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib"
import type { Inflater } from "@signalbox/core/adapter"

const decompressors: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ["gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress]
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
