/** Platt scaling of yes/no answers: a line in the logarithm of the odds. */
import type { LabeledAnswer } from "./Labeler.ts"
import type { MapOf } from "./CalibrationMap.ts"

/** The line that changes nothing. */
const identity: MapOf<"platt"> = { type: "platt", slope: 1, intercept: 0 }

/** The probability of yes after the map; `yes` lies between 0 and 1, both excluded. */
export const applyPlatt = ({ intercept, slope }: MapOf<"platt">, yes: number): number =>
  toSigmoid(slope * toLogit(yes) + intercept)

/**
 * The line with the least weighted log-loss against Platt's targets, which are a little less than certain, plus a penalty
 * for its distance from `prior`. By Newton's method with steps that are shortened until they help: full steps diverge
 * on stated confidences, which have few values.
 *
 * https://www.csie.ntu.edu.tw/~cjlin/papers/plattprob.pdf
 */
export const fitPlatt = (
  answers: ReadonlyArray<LabeledAnswer>,
  prior: MapOf<"platt"> = identity
): MapOf<"platt"> => {
  const points = toPoints(answers)
  let line = prior
  let loss = computeLoss(points, line, prior)
  for (let round = 0; round < maxRounds; round++) {
    const step = computeStep(points, line, prior)
    let next: { readonly line: MapOf<"platt">; readonly loss: number } | undefined
    for (let size = 1; size >= leastStep && next === undefined; size /= 2) {
      const tried: MapOf<"platt"> = {
        type: "platt",
        // A falling line would turn every answer into its opposite.
        slope: Math.max(0, line.slope - size * step.slope),
        intercept: line.intercept - size * step.intercept
      }
      const triedLoss = computeLoss(points, tried, prior)
      if (triedLoss < loss) next = { line: tried, loss: triedLoss }
    }
    if (next === undefined) break
    const gained = loss - next.loss
    ;({ line, loss } = next)
    if (gained < leastGain) break
  }
  return line
}

const maxRounds = 100
const leastStep = 1e-6
const leastGain = 1e-10
/** The deviation of slope and intercept. */
const priorDeviation = 1

interface Point {
  readonly logit: number
  readonly target: number
  readonly weight: number
}

const toPoints = (answers: ReadonlyArray<LabeledAnswer>): ReadonlyArray<Point> => {
  let yes = 0
  let no = 0
  for (const { label, weight } of answers) {
    if (label === 0) yes += weight
    else no += weight
  }
  return answers.map(({ label, probabilities, weight }) => ({
    logit: toLogit(probabilities[0]!),
    target: label === 0 ? (yes + 1) / (yes + 2) : 1 / (no + 2),
    weight
  }))
}

const computeLoss = (
  points: ReadonlyArray<Point>,
  { intercept, slope }: MapOf<"platt">,
  prior: MapOf<"platt">
): number => {
  let loss =
    ((slope - prior.slope) ** 2 + (intercept - prior.intercept) ** 2) / (2 * priorDeviation ** 2)
  for (const { logit, target, weight } of points) {
    const at = slope * logit + intercept
    // log(1 + e^at) - target * at, without overflow.
    loss += weight * (Math.max(at, 0) + Math.log1p(Math.exp(-Math.abs(at))) - target * at)
  }
  return loss
}

/** Newton's step: the inverse Hessian times the gradient. */
const computeStep = (
  points: ReadonlyArray<Point>,
  { intercept, slope }: MapOf<"platt">,
  prior: MapOf<"platt">
): { readonly slope: number; readonly intercept: number } => {
  const precision = 1 / priorDeviation ** 2
  let [slopeGradient, interceptGradient] = [
    precision * (slope - prior.slope),
    precision * (intercept - prior.intercept)
  ]
  let [slopeCurve, mixedCurve, interceptCurve] = [precision, 0, precision]
  for (const { logit, target, weight } of points) {
    const p = toSigmoid(slope * logit + intercept)
    const error = weight * (p - target)
    const curve = weight * p * (1 - p)
    slopeGradient += error * logit
    interceptGradient += error
    slopeCurve += curve * logit * logit
    mixedCurve += curve * logit
    interceptCurve += curve
  }
  const determinant = slopeCurve * interceptCurve - mixedCurve * mixedCurve
  return {
    slope: (interceptCurve * slopeGradient - mixedCurve * interceptGradient) / determinant,
    intercept: (slopeCurve * interceptGradient - mixedCurve * slopeGradient) / determinant
  }
}

const toLogit = (p: number): number => Math.log(p / (1 - p))

const toSigmoid = (at: number): number => {
  if (at >= 0) return 1 / (1 + Math.exp(-at))
  const power = Math.exp(at)
  return power / (1 + power)
}
