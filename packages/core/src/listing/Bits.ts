/** Sets of places from 0 up, a bit each: a filter over thousands of models is a few hundred words. */
export type Bits = Uint32Array

export const none = (size: number): Bits => new Uint32Array((size + 31) >>> 5)

export const all = (size: number): Bits => {
  const bits = none(size).fill(0xffff_ffff)
  const beyond = size & 31
  if (beyond !== 0) bits[bits.length - 1] = (1 << beyond) - 1
  return bits
}

export const add = (bits: Bits, place: number): void => {
  bits[place >>> 5]! |= 1 << (place & 31)
}

export const has = (bits: Bits, place: number): boolean =>
  (bits[place >>> 5]! & (1 << (place & 31))) !== 0

/** Keeps in `bits` what is in `other` too. */
export const keep = (bits: Bits, other: Bits): void => {
  for (let word = 0; word < bits.length; word++) bits[word]! &= other[word]!
}

/** Adds to `bits` what is in `other`. */
export const join = (bits: Bits, other: Bits): void => {
  for (let word = 0; word < bits.length; word++) bits[word]! |= other[word]!
}

/** Keeps in `bits` the places of which `keeps` is true; the others are not asked. */
export const keepWhere = (bits: Bits, keeps: (place: number) => boolean): void => {
  for (let word = 0; word < bits.length; word++) {
    let kept = bits[word]!
    for (let rest = kept; rest !== 0; rest &= rest - 1) {
      const bit = 31 - Math.clz32(rest & -rest)
      if (!keeps((word << 5) | bit)) kept &= ~(1 << bit)
    }
    bits[word] = kept
  }
}

/** Keeps in `bits` the places whose number is from `min` to `max`; NaN is nowhere. */
export const keepWithin = (bits: Bits, column: Float64Array, min: number, max: number): void => {
  for (let word = 0; word < bits.length; word++) {
    let kept = bits[word]!
    for (let rest = kept; rest !== 0; rest &= rest - 1) {
      const bit = 31 - Math.clz32(rest & -rest)
      const value = column[(word << 5) | bit]!
      if (!(value >= min && value <= max)) kept &= ~(1 << bit)
    }
    bits[word] = kept
  }
}

export const count = (bits: Bits): number => {
  let total = 0
  for (const word of bits) {
    let n = word - ((word >>> 1) & 0x5555_5555)
    n = (n & 0x3333_3333) + ((n >>> 2) & 0x3333_3333)
    total += Math.imul((n + (n >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24
  }
  return total
}
