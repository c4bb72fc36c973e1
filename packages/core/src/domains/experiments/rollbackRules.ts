/** When an experiment is rolled back by itself: after how many requests, errors and milliseconds. */
import * as Histogram from "../../values/Histogram.ts"
import type { ArmMeasures, ExperimentMeasures } from "./ExperimentMeasures.ts"

/** Requests of each side below which nothing is concluded. */
export const minJudgedRequests = 200
/** Points of the share of errors by which the model on trial may exceed the other. */
export const maxErrorExcess = 0.05
/** How many times the p95 of the other its p95 may be. */
export const maxLatencyRatio = 1.5

/** Why the model on trial is worse than the requested one; undefined when it is not, or too little is known. */
export const findRollbackCause = ({
  control,
  trial,
  unmeasured
}: ExperimentMeasures): string | undefined => {
  const tried = trial.requests + unmeasured
  const hasAnswered = trial.requests > trial.errors
  if (unmeasured > 0 && !hasAnswered && Math.min(control.requests, tried) >= minJudgedRequests) {
    return `it answered none of ${tried} requests, and ${unmeasured} of them say nothing about it: it was not called, or rejected them`
  }
  if (Math.min(control.requests, trial.requests) < minJudgedRequests) return undefined
  const [errors, usualErrors] = [getErrorShare(trial), getErrorShare(control)]
  if (errors > usualErrors + maxErrorExcess) {
    return `${toPercent(errors)} of ${trial.requests} requests failed, against ${toPercent(usualErrors)} of ${control.requests} with the requested model`
  }
  const [p95, usualP95] = [getP95(trial), getP95(control)]
  if (control.latency.count > 0 && p95 > usualP95 * maxLatencyRatio) {
    return `the p95 of ${trial.requests} requests was ${Math.round(p95)} ms, against ${Math.round(usualP95)} ms of ${control.requests} with the requested model`
  }
  return undefined
}

const getErrorShare = ({ errors, requests }: ArmMeasures): number => errors / requests
const getP95 = ({ latency }: ArmMeasures): number => Histogram.getQuantile(latency, 0.95)
const toPercent = (share: number): string => `${(share * 100).toFixed(1)} %`
