/** Random UUIDs of version 4, as flat strings: `crypto.randomUUID` returns concatenations of twenty parts in Node. */

const random = new Uint8Array(16 * 64)
let usedBytes = random.length

const decoder = new TextDecoder()
const encoder = new TextEncoder()
const digits = encoder.encode("0123456789abcdef")
const template = "00000000-0000-4000-8000-000000000000"
const text = encoder.encode(template)
const positions = Array.from(template, (character, index) =>
  character === "-" ? -1 : index
).filter((index) => index !== -1)

export const makeUuid = (): string => {
  if (usedBytes === random.length) {
    crypto.getRandomValues(random)
    usedBytes = 0
  }
  for (let index = 0; index < 16; index++) {
    const byte = setVersion(random[usedBytes + index]!, index)
    text[positions[2 * index]!] = digits[byte >> 4]!
    text[positions[2 * index + 1]!] = digits[byte & 15]!
  }
  usedBytes += 16
  return decoder.decode(text)
}

/** https://www.rfc-editor.org/rfc/rfc9562#section-5.4 */
const setVersion = (byte: number, index: number): number => {
  if (index === 6) return (byte & 0x0f) | 0x40
  return index === 8 ? (byte & 0x3f) | 0x80 : byte
}
