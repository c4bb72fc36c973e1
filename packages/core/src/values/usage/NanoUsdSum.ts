/** A sum of money that is added to in place: most amounts are exact as numbers, whose sums need no object each. */
import * as NanoUsd from "./NanoUsd.ts"

export class NanoUsdSum {
  private whole = 0n
  /** At most `maxPart`, so that adding as much again is exact. */
  private part = 0

  add(amount: NanoUsd.NanoUsd): void {
    if (amount > maxPart) {
      this.whole += amount
      return
    }
    this.part += Number(amount)
    if (this.part <= maxPart) return
    this.whole += BigInt(this.part)
    this.part = 0
  }

  toNanoUsd(): NanoUsd.NanoUsd {
    return NanoUsd.make(this.whole + BigInt(this.part))
  }
}

const maxPart = 2 ** 52
