/** The latest confidences of each model, from which `max_share` derives its threshold. In the memory of the process. */
import { setMostRecent } from "../../../values/setMostRecent.ts"

const kept = 1_000
/** 16 MB in all. */
const maxKeys = 2_000

/** The confidences of one model for one kind of question, the latest ones overwriting the oldest. */
export class RecentConfidences {
  readonly #rings = new Map<string, Ring>()

  list(key: string): ReadonlyArray<number> {
    return this.#rings.get(key)?.values ?? none
  }

  add(key: string, confidence: number): void {
    const ring = this.#rings.get(key) ?? { values: [], next: 0 }
    ring.values[ring.next] = confidence
    ring.next = (ring.next + 1) % kept
    setMostRecent(this.#rings, key, ring, maxKeys)
  }
}

interface Ring {
  readonly values: Array<number>
  next: number
}

const none: ReadonlyArray<number> = []
