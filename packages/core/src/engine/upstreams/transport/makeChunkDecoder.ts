/** Decodes UTF-8 that arrives in chunks. */

/** The text of the next chunk; the beginning of a character that the next chunk continues waits for it. */
export const makeChunkDecoder = (): ((chunk: Uint8Array) => string) => {
  const decoder = new TextDecoder()
  /** Whether the chunk follows the first one and a whole character. */
  let isAtCharacter = false
  return (chunk) => {
    const last = chunk.at(-1)
    if (last === undefined) return ""
    const isWhole = last < 0x80
    // Text without a state is decoded at a fraction of the cost.
    if (isAtCharacter && isWhole) return wholeDecoder.decode(chunk)
    isAtCharacter = isWhole
    return decoder.decode(chunk, inParts)
  }
}

/** A byte order mark is one only at the beginning of the first chunk. */
const wholeDecoder = new TextDecoder("utf-8", { ignoreBOM: true })

const inParts = { stream: true }
