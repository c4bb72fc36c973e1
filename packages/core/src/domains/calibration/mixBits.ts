/** Makes random-looking bits of a number. */

/** The finalizer of MurmurHash3: https://en.wikipedia.org/wiki/MurmurHash */
export const mixBits = (value: number): number => {
  let bits = value
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}
