/** Sets of indexes with one bit each: a filter over thousands of models takes a few hundred words. */
export type BitSet = Uint32Array

export const makeEmpty = (size: number): BitSet => new Uint32Array((size + 31) >>> 5)

export const makeFull = (size: number): BitSet => {
  const bits = makeEmpty(size).fill(0xffff_ffff)
  const beyond = size & 31
  if (beyond !== 0) bits[bits.length - 1] = (1 << beyond) - 1
  return bits
}

export const add = (bits: BitSet, index: number): void => {
  bits[index >>> 5]! |= 1 << (index & 31)
}

export const has = (bits: BitSet, index: number): boolean =>
  (bits[index >>> 5]! & (1 << (index & 31))) !== 0

/** Removes from `bits` what is not in `other`. */
export const intersect = (bits: BitSet, other: BitSet): void => {
  for (let word = 0; word < bits.length; word++) bits[word]! &= other[word]!
}

/** Adds to `bits` what is in `other`. */
export const union = (bits: BitSet, other: BitSet): void => {
  for (let word = 0; word < bits.length; word++) bits[word]! |= other[word]!
}

/** Removes the indexes for which `predicate` is false; it is called only for members. */
export const filter = (bits: BitSet, predicate: (index: number) => boolean): void => {
  for (let word = 0; word < bits.length; word++) {
    let kept = bits[word]!
    for (let rest = kept; rest !== 0; rest &= rest - 1) {
      const bit = 31 - Math.clz32(rest & -rest)
      if (!predicate((word << 5) | bit)) kept &= ~(1 << bit)
    }
    bits[word] = kept
  }
}

/** Removes the indexes whose value is not from `min` to `max`; NaN never is. */
export const filterRange = (bits: BitSet, column: Float64Array, min: number, max: number): void =>
  filter(bits, (index) => column[index]! >= min && column[index]! <= max)

export const count = (bits: BitSet): number => {
  let total = 0
  for (const word of bits) {
    let n = word - ((word >>> 1) & 0x5555_5555)
    n = (n & 0x3333_3333) + ((n >>> 2) & 0x3333_3333)
    total += Math.imul((n + (n >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24
  }
  return total
}
