/** How compressed request bodies are unpacked (port): a runtime's own decompression, some of it at a time. */
import * as Context from "effect/Context"

/** Decompresses a body as it comes. */
export interface Inflater {
  /** What `Content-Encoding` may say, such as `gzip`. */
  readonly codings: ReadonlyArray<string>
  /**
   * What `body` unpacks to. Unpacks no more than is asked for, give or take a few pieces, so that a small body
   * that unpacks into a large one is noticed in time. Throws where `body` is not of the coding, or ends too early;
   * left early, it frees what it holds.
   */
  readonly inflate: (coding: string, body: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>
}

/** Default: the `DecompressionStream` of the runtime, with the formats it knows. */
export const BodyInflater: Context.Reference<Inflater> = Context.Reference(
  "@signalbox/core/http/body/BodyInflater",
  { defaultValue: () => makeWebInflater() }
)

/** By the names of codings. Absent from the types of TypeScript: `brotli`, which newer runtimes know. */
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

/** Some runtimes unpack all they are handed at once: a piece of this many bytes becomes 16 MiB of gzip at most. */
const chunkBytes = 16_384

const makeWebInflater = (): Inflater => ({
  codings: Object.keys(formats).filter(isSupportedCoding),
  inflate: (coding, body) => inflateBody(coding, body)
})

async function* inflateBody(
  coding: string,
  body: AsyncIterable<Uint8Array>
): AsyncGenerator<Uint8Array> {
  const pieces = splitChunks(body)
  const packed = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull: async (controller) => {
        const next = await pieces.next()
        if (next.done === true) controller.close()
        else controller.enqueue(new Uint8Array(next.value))
      },
      cancel: async () => {
        await pieces.return(undefined)
      }
    },
    { highWaterMark: 0 }
  )
  const reader = packed.pipeThrough(makeDecompressionStream(coding)).getReader()
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
