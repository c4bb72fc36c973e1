/** How sure a distribution is, by the formulas of answers. */
import type { Answer } from "../../../questions/Answer.ts"
import { computeChoiceConfidence, computeScoreConfidence } from "../../../questions/distribution.ts"
import { setMostRecent } from "../../../values/setMostRecent.ts"

/**
 * 0 to 1, from the probabilities in the order of the options. Rounded to six decimals, which the 32-bit floats of
 * labels keep, so that equal confidences are equal numbers after any computation.
 */
export const computeConfidence = (
  kind: Answer["type"],
  probabilities: ReadonlyArray<number>
): number => {
  const computed =
    kind === "score"
      ? computeScoreConfidence(probabilities)
      : computeChoiceConfidence(probabilities)
  return Math.round(computed * 1e6) / 1e6
}

/**
 * The confidence of an answer. A confidence that a provider states itself is ignored, because labels are not compared
 * by it.
 */
export const computeAnswerConfidence = (answer: Answer): number =>
  answer.type === "noul"
    ? computeConfidence("noul", [answer.noul, 1 - answer.noul])
    : computeConfidence(answer.type, Object.values(answer.probabilities ?? {}))

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
