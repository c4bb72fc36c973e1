/** Decompresses request bodies incrementally (port). */
import * as Context from "effect/Context"

/** Decompresses a body while it arrives. */
export interface Inflater {
  /** Supported values of `Content-Encoding`, such as `gzip`. */
  readonly codings: ReadonlyArray<string>
  /**
   * Decompresses `body`. It decompresses little more than the reader requests, so that a decompression bomb is
   * noticed in time. Throws if `body` is not valid or is truncated. Returning early frees all resources.
   */
  readonly inflate: (coding: string, body: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>
}

/** Default: the runtime's `DecompressionStream`, with the formats that it supports. */
export const BodyInflater: Context.Reference<Inflater> = Context.Reference(
  "@signalbox/core/api/body/BodyInflater",
  { defaultValue: () => makeWebInflater() }
)

/** By content coding. TypeScript's types lack `brotli`, which newer runtimes support. */
const formats: Readonly<Record<string, string>> = { gzip: "gzip", deflate: "deflate", br: "brotli" }

const makeDecompressionStream = (coding: string): DecompressionStream =>
  new DecompressionStream(formats[coding] as ConstructorParameters<typeof DecompressionStream>[0])

const isSupportedCoding = (coding: string): boolean => {
  try {
    makeDecompressionStream(coding)
    return true
  } catch {
    return false
  }
}

/** Some runtimes decompress each chunk at once. Gzip expands a chunk of this many bytes to at most 16 MiB. */
const chunkBytes = 16_384

const makeWebInflater = (): Inflater => ({
  codings: Object.keys(formats).filter(isSupportedCoding),
  inflate: (coding, body) => inflateBody(coding, body)
})

async function* inflateBody(
  coding: string,
  body: AsyncIterable<Uint8Array>
): AsyncGenerator<Uint8Array> {
  const chunks = splitChunks(body)
  const compressed = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull: async (controller) => {
        const next = await chunks.next()
        if (next.done === true) controller.close()
        else controller.enqueue(new Uint8Array(next.value))
      },
      cancel: async () => {
        await chunks.return(undefined)
      }
    },
    { highWaterMark: 0 }
  )
  const reader = compressed.pipeThrough(makeDecompressionStream(coding)).getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

async function* splitChunks(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    for (let at = 0; at < chunk.length; at += chunkBytes) yield chunk.subarray(at, at + chunkBytes)
  }
}
