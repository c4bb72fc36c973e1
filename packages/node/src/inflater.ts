/** Unpacks request bodies with zlib. */
import { pipeline, Readable, type Transform } from "node:stream"
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib"
import type { Inflater } from "@signalbox/core/adapter"

const decompressors: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ["gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress]
])

/** What is not asked for stays packed: a stream that nobody reads from stops. */
export const inflater: Inflater = {
  codings: Array.from(decompressors.keys()),
  inflate: (coding, body) => {
    const make = decompressors.get(coding)
    if (make === undefined) throw new RangeError(`${coding} is none of the codings`)
    // Whoever reads the last of the streams hears what is wrong with any of them.
    return pipeline(Readable.from(body), make(), () => {})
  }
}
