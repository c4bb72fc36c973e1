/** Answers whether the model on trial is better, as far as chance allows. */
import { formatCount, formatShare, formatSignedShare } from "../../format/format.ts"
import type { Arm, Experiment } from "./Experiment.ts"

type Verdict = "better" | "worse" | "alike"

export const answerExperiment = (experiment: Experiment): string =>
  experiment.mode === "shadow" ? answerShadow(experiment) : answerCanary(experiment)

const answerCanary = ({ cause, control, rollback, status, to, trial }: Experiment): string => {
  if (status === "rolled_back") return `No: ${to} was rolled back, because ${cause ?? ""}.`
  const least = rollback?.min_requests ?? 0
  const missing = least - Math.min(control.requests, trial.requests)
  if (missing > 0) {
    const side = trial.requests < control.requests ? to : "the requested model"
    return `It is too early to say: ${side} needs ${formatCount(missing)} more ${missing === 1 ? "request" : "requests"} before it can be judged.`
  }
  const [reliability, speed] = [compareErrors(control, trial), compareLatency(control, trial)]
  const cost = compareCost(control, trial)
  const facts = `${to} ${reliabilityWords[reliability]}, ${speedWords[speed]} and ${describeCost(control, trial)}.`
  const verdicts = new Set([reliability, speed, cost])
  const isBetter = verdicts.has("better")
  if (!verdicts.has("worse")) return isBetter ? `Yes: ${facts}` : `It makes no difference: ${facts}`
  return isBetter ? `It depends: ${facts}` : `No: ${facts}`
}

const answerShadow = ({ agreement, control, to, trial }: Experiment): string => {
  const { compared, share } = agreement
  if (share === null) return `It is too early to say: no answer of ${to} has been compared.`
  return `${to} agrees in ${formatShare(share)} of ${formatCount(compared)} compared answers, ${speedWords[compareLatency(control, trial)]} and ${describeCost(control, trial)}.`
}

const reliabilityWords = {
  better: "fails less often",
  worse: "fails more often",
  alike: "fails as rarely as far as one can tell"
} as const
const speedWords = {
  better: "is faster",
  worse: "is slower",
  alike: "is about as fast"
} as const

const compareErrors = (control: Arm, trial: Arm): Verdict =>
  compareEstimates(
    { value: control.errors / control.requests, interval: control.errors_interval },
    { value: trial.errors / trial.requests, interval: trial.errors_interval }
  )

interface Estimate {
  readonly value: number
  readonly interval: { readonly low: number; readonly high: number } | null
}

/**
 * The 95 % interval of the difference lies on one side of zero, or they are alike. It is made of the intervals of both; of two shares
 * that is Newcombe's (method 10 of https://doi.org/10.1002/(SICI)1097-0258(19980430)17:8%3C873::AID-SIM779%3E3.0.CO;2-I).
 */
const compareEstimates = (usual: Estimate, tried: Estimate): Verdict => {
  const [{ interval: a, value: p }, { interval: b, value: q }] = [usual, tried]
  if (a === null || b === null) return "alike"
  const low = p - q - Math.hypot(p - a.low, b.high - q)
  const high = p - q + Math.hypot(a.high - p, q - b.low)
  return low > 0 ? "better" : high < 0 ? "worse" : "alike"
}

/** The intervals of the p95 do not overlap, or they are alike. */
const compareLatency = (control: Arm, trial: Arm): Verdict => {
  const [a, b] = [control.latency_p95_interval, trial.latency_p95_interval]
  if (a === null || b === null) return "alike"
  return b.high < a.low ? "better" : b.low > a.high ? "worse" : "alike"
}

/** Less than this is no difference that matters. */
const costTolerance = 0.05

/** Without intervals, a difference that matters counts. */
const compareCost = (control: Arm, trial: Arm): Verdict => {
  const change = toCostChange(control, trial)
  if (change === undefined || Math.abs(change) < costTolerance) return "alike"
  return isByChance(control, trial) ? "alike" : change < 0 ? "better" : "worse"
}

/** Whether both have intervals, and these do not tell them apart. */
const isByChance = (control: Arm, trial: Arm): boolean => {
  const [usual, tried] = [toCostEstimate(control), toCostEstimate(trial)]
  const isKnown = usual.interval !== null && tried.interval !== null
  return isKnown && compareEstimates(usual, tried) === "alike"
}

const toCostEstimate = (arm: Arm): Estimate => ({
  value: arm.cost_per_request ?? 0,
  interval: arm.cost_per_request_interval
})

const toCostChange = (control: Arm, trial: Arm): number | undefined => {
  const { cost_per_request: usual } = control
  const { cost_per_request: tried } = trial
  return usual === null || tried === null || usual === 0 ? undefined : tried / usual - 1
}

const describeCost = (control: Arm, trial: Arm): string => {
  const change = toCostChange(control, trial)
  if (change === undefined) return "its cost cannot be compared"
  if (Math.abs(change) < costTolerance) return "costs about as much per request"
  const costs = `costs ${formatSignedShare(change)} per request`
  return isByChance(control, trial) ? `${costs}, which may be chance` : costs
}
