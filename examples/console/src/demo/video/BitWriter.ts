/** Writes bits as H.264 does: the most significant first, small numbers in few bits. */
export class BitWriter {
  readonly #bytes: Array<number> = []
  #pending = 0
  #count = 0

  /** The lowest `count` bits of `value`, at most 31. */
  bits(value: number, count: number): this {
    for (let i = count - 1; i >= 0; i--) {
      this.#pending = (this.#pending << 1) | ((value >>> i) & 1)
      if (++this.#count === 8) {
        this.#bytes.push(this.#pending)
        this.#pending = 0
        this.#count = 0
      }
    }
    return this
  }

  /** An Exp-Golomb code, `ue(v)`. */
  writeGolomb(...values: ReadonlyArray<number>): this {
    for (const value of values) {
      const length = 32 - Math.clz32(value + 1)
      this.bits(0, length - 1).bits(value + 1, length)
    }
    return this
  }

  /** Zeros up to the next byte. */
  align(): this {
    return this.#count === 0 ? this : this.bits(0, 8 - this.#count)
  }

  /** The bytes, with the stop bit. */
  end(): Uint8Array {
    this.bits(1, 1).align()
    return Uint8Array.from(this.#bytes)
  }
}
