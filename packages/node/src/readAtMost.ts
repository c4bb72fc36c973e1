/** Reads a body that a hook of the host has decoded or replaced on its way to us. */
import { Buffer } from "node:buffer"
import type { Readable } from "node:stream"

/**
 * The bytes of `stream`, or more than `limitBytes` of them when it is longer: enough for the service
 * to refuse it, and no more memory than that for a small body that unpacks into a large one.
 */
export const readAtMost = async (stream: Readable, limitBytes: number): Promise<Buffer> => {
  const chunks: Array<Uint8Array> = []
  let bytes = 0
  for await (const chunk of stream as AsyncIterable<Uint8Array | string>) {
    const read = typeof chunk === "string" ? Buffer.from(chunk) : chunk
    chunks.push(read)
    bytes += read.length
    if (bytes > limitBytes) break
  }
  return Buffer.concat(chunks)
}
