/**
 * Mixes text into 32 bits without allocating: MurmurHash3 (x86, 32 bits) over pairs of UTF-16 units. It spreads well and
 * keeps nothing secret. A hash may be the seed of the next, so a list of texts is hashed one by one. It is a signed number,
 * which V8 keeps without an object.
 */
export const hashText = (seed: number, text: string, maxLength = text.length): number => {
  const length = Math.min(text.length, maxLength)
  let hash = seed
  let at = 0
  for (; at + 1 < length; at += 2) {
    hash ^= mixBlock(text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16))
    hash = (hash << 13) | (hash >>> 19)
    hash = Math.imul(hash, 5) + 0xe654_6b64
  }
  if (at < length) hash ^= mixBlock(text.charCodeAt(at))
  return finalize(hash ^ (length * 2))
}

const mixBlock = (block: number): number => {
  const mixed = Math.imul(block, 0xcc9e_2d51)
  return Math.imul((mixed << 15) | (mixed >>> 17), 0x1b87_3593)
}

const finalize = (hash: number): number => {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2_ae35)
  return mixed ^ (mixed >>> 16)
}
