/** The confidence below which questions go to the other model, so that a stated accuracy is kept. */

/** An answer of both models to the same question, with its label. */
export interface AnswerPair {
  /** The confidence of the first model, 0 to 1. */
  readonly confidence: number
  readonly isRight: boolean
  /** Whether the other model is right. */
  readonly isOtherRight: boolean
}

/** Which answers go to the other model. */
export interface EscalationThreshold {
  /** Answers with less confidence go there; Infinity: all answers. */
  readonly below: number
  /** The share of those with exactly this confidence, 0 to 1: stated confidences come in steps. */
  readonly tieShare: number
  /** Why everything goes there; absent: it does not. */
  readonly reason?: "too_few_labels" | "out_of_reach" | "labels_unavailable"
}

/** Pairs below which nothing is concluded. */
export const minPairs = 100

/** The quantile of the normal distribution for a one-sided bound of 90 %. */
const bound90 = 1.2816

/**
 * The smallest threshold whose loss of accuracy stays, with 90 % confidence, within `1 - relativeAccuracy` of the accuracy of
 * the other model. The bound is the point: the threshold that is best on the labels misses the target in half of all draws.
 */
export const findThreshold = (
  pairs: ReadonlyArray<AnswerPair>,
  relativeAccuracy: number
): EscalationThreshold => {
  const n = pairs.length
  if (n < minPairs) return { below: Infinity, tieShare: 1, reason: "too_few_labels" }
  const otherRight = pairs.filter(({ isOtherRight }) => isOtherRight).length
  const allowed = (1 - relativeAccuracy) * (otherRight / n)
  const steps = toSteps(pairs)
  // From keeping nothing to keeping everything, most confident first; the loss need not grow steadily.
  let sum = 0
  let squares = 0
  let best: EscalationThreshold | undefined
  for (const { confidence, losses } of steps) {
    const stepSum = losses.reduce((total, loss) => total + loss, 0)
    const stepSquares = losses.reduce((total, loss) => total + loss * loss, 0)
    const kept = findKeptShare(
      (share) => computeBound(sum + share * stepSum, squares + share * stepSquares, n) <= allowed
    )
    if (kept > 0) best = { below: confidence, tieShare: 1 - kept }
    sum += stepSum
    squares += stepSquares
  }
  if (best === undefined) return { below: Infinity, tieShare: 1, reason: "out_of_reach" }
  return best
}

interface Step {
  readonly confidence: number
  /** For each pair what keeping the first answer loses: 1, 0 or -1. */
  readonly losses: ReadonlyArray<number>
}

/** The pairs by confidence, the greatest first. */
const toSteps = (pairs: ReadonlyArray<AnswerPair>): ReadonlyArray<Step> => {
  const steps = new Map<number, Array<number>>()
  for (const { confidence, isOtherRight, isRight } of pairs) {
    const loss = Number(isOtherRight) - Number(isRight)
    const step = steps.get(confidence)
    if (step === undefined) steps.set(confidence, [loss])
    else step.push(loss)
  }
  return Array.from(steps, ([confidence, losses]) => ({ confidence, losses })).toSorted(
    (one, other) => other.confidence - one.confidence
  )
}

/** The upper bound of the mean loss. Pairs that are not kept have no loss. */
const computeBound = (sum: number, squares: number, n: number): number => {
  const mean = sum / n
  const variance = Math.max(0, squares / n - mean * mean)
  return mean + bound90 * Math.sqrt(variance / n)
}

/** The greatest of 101 shares at which the loss is still allowed; 0 when there is none. */
const findKeptShare = (isAllowed: (share: number) => boolean): number => {
  for (let hundredths = 100; hundredths > 0; hundredths--) {
    if (isAllowed(hundredths / 100)) return hundredths / 100
  }
  return 0
}

/** The threshold that sends `maxShare` of `confidences` to the other model. */
export const findShareThreshold = (
  confidences: ReadonlyArray<number>,
  maxShare: number
): EscalationThreshold => {
  const sorted = confidences.toSorted((one, other) => one - other)
  const wanted = maxShare * sorted.length
  const below = sorted[Math.min(Math.floor(wanted), sorted.length - 1)]
  if (below === undefined) return { below: Infinity, tieShare: maxShare }
  const fewer = sorted.filter((confidence) => confidence < below).length
  const ties = sorted.filter((confidence) => confidence === below).length
  return { below, tieShare: Math.min(1, Math.max(0, (wanted - fewer) / ties)) }
}

/** Whether an answer goes to the other model; `draw` is from [0, 1). */
export const isBelow = (
  { below, tieShare }: EscalationThreshold,
  confidence: number,
  draw: () => number
): boolean => confidence < below || (confidence === below && draw() < tieShare)
