/** The length of a text in UTF-8; allocates no copy of the text. */
export const countUtf8Bytes = (text: string): number => {
  let bytes = 0
  for (let at = 0; at < text.length;) {
    const { read, written } = encoder.encodeInto(at === 0 ? text : text.slice(at), scratch)
    bytes += written
    at += read
  }
  return bytes
}

const encoder = new TextEncoder()

/** Overwritten by every call. */
const scratch = new Uint8Array(16_384)
