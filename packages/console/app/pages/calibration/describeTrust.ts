/** Answers how far probabilities can be trusted, from what labels have shown. */
import type { OperationResponse } from "@signalbox/core/contract"
import { formatDecimal, formatCount } from "../../format/format.ts"

export type CalibrationMap = OperationResponse<"calibration.get">["data"]["maps"][number]

/** A probability that is off by so much is trusted: an answer of 90 % is right in 88 to 92 of 100 cases. */
const tolerance = 0.02

/** The maps of all questions of a kind; those of single questions have part of the same labels. */
const listKinds = (maps: ReadonlyArray<CalibrationMap>): ReadonlyArray<CalibrationMap> =>
  maps.filter(({ question }) => question === null)

export const answerTrust = (maps: ReadonlyArray<CalibrationMap>): string => {
  const kinds = listKinds(maps)
  const samples = kinds.reduce((sum, map) => sum + map.samples, 0)
  if (samples === 0) return "It is not known: no answer has been labelled."
  const mean = (pick: (map: CalibrationMap) => number): number =>
    kinds.reduce((sum, map) => sum + pick(map) * map.samples, 0) / samples
  const [before, after] = [mean((map) => map.before.ece), mean(boundError)]
  const [worst] = kinds.toSorted((one, other) => boundError(other) - boundError(one))
  const others =
    worst === undefined || kinds.length === 1
      ? ""
      : ` The least is known of ${describeMap(worst)}: ${formatPoints(boundError(worst))}.`
  return `To within ${formatPoints(after)} on average, as far as ${formatCount(samples)} ${samples === 1 ? "label" : "labels"} can tell. Without calibration, they are off by ${formatPoints(before)}.${others}`
}

/** Few labels cannot show an error that is smaller than what chance causes. */
const boundError = ({ after }: CalibrationMap): number => Math.max(after.ece, after.ece_by_chance)

/** What one map is good for, and what more labels would show. */
export const describeMapTrust = ({ after, before, map, samples }: CalibrationMap): string => {
  const wanted = countWantedLabels(samples, after.ece_by_chance)
  const chance = formatPoints(after.ece_by_chance)
  const error = formatPoints(after.ece)
  const helps =
    map === "none"
      ? `No map makes its probabilities better, so they stay as they are, off by ${error}.`
      : `Calibration takes the error from ${formatPoints(before.ece)} to ${error}.`
  const judged =
    after.ece <= after.ece_by_chance
      ? `That is no more than chance causes with so few labels (${chance}).`
      : `Chance alone would cause ${chance} of it.`
  const more =
    wanted === 0
      ? "There are enough labels to see an error of 2 points."
      : `About ${formatCount(wanted)} more labels are wanted to see an error of 2 points.`
  return `${helps} ${judged} ${more}`
}

/** The error that chance causes falls with the root of the number of labels. */
export const countWantedLabels = (samples: number, chance: number): number => {
  const missing = samples * ((chance / tolerance) ** 2 - 1)
  // The estimate is no more exact.
  return missing <= 0 ? 0 : Math.ceil(missing / 10) * 10
}

export const describeMap = ({ kind, model, question }: CalibrationMap): string =>
  `${kind} answers of ${model}${question === null ? "" : ` to the question ${question}`}`

export const formatPoints = (share: number): string => {
  const points = share * 100
  return `${formatDecimal(points, 1)} ${points.toFixed(1) === "1.0" ? "point" : "points"}`
}
