/** The maps of an account, ready to be applied. */
import { applyMap } from "./applyMap.ts"
import type { CalibrationMap, QuestionKind } from "./CalibrationMap.ts"
import { type CalibrationGroup, toGroupKey } from "./CalibrationSample.ts"
import type { StoredMaps } from "./CalibrationStore.ts"
import type { ConformalScores } from "./conformal.ts"
import type { FittedMap } from "./FittedMaps.ts"
import { decodeFloats } from "./QuestionHasher.ts"

/** A map of the account. */
export interface ReadyMap {
  readonly map: CalibrationMap
  readonly samples: number
  readonly scope: "question" | "kind"
  readonly scores: ConformalScores
}

export interface AccountMaps {
  /** Differs each time the maps of an account are read in this process. */
  readonly version: number
  /** The map of the question, else the map of its kind, else undefined. */
  readonly find: (group: CalibrationGroup, question: string | undefined) => ReadyMap | undefined
}

export const makeAccountMaps = (
  stored: ReadonlyArray<StoredMaps>,
  version: number
): AccountMaps => {
  const byKey = new Map<string, ReadyMap>()
  for (const { fitted, ...group } of stored) {
    for (const map of fitted.maps) byKey.set(toKey(group, map.question), toReadyMap(map))
  }
  return {
    version,
    find: (group, question) =>
      (question === undefined ? undefined : byKey.get(toKey(group, question))) ??
      byKey.get(toKey(group, undefined))
  }
}

/** No map at all. */
export const noMaps: AccountMaps = { version: 0, find: () => undefined }

const toKey = (group: CalibrationGroup, question: string | undefined): string =>
  question === undefined ? toGroupKey(group) : `${toGroupKey(group)}${question}`

const toReadyMap = ({ all, map, masses, question, scores }: FittedMap): ReadyMap => ({
  map,
  samples: all.samples,
  scope: question === undefined ? "kind" : "question",
  scores: {
    scores: decodeFloats(scores),
    ...(masses === undefined ? undefined : { masses: decodeFloats(masses) })
  }
})

/**
 * Calibrates an answer in the precision of labels, so that a threshold learned from labels meets equal numbers.
 * Labels keep probabilities as 32-bit floats. `found`: the map of the question; undefined: none.
 */
export const calibrateStored = (
  kind: QuestionKind,
  found: Pick<ReadyMap, "map"> | undefined,
  probabilities: ReadonlyArray<number>
): ReadonlyArray<number> => {
  const stored = probabilities.map(Math.fround)
  return found === undefined ? stored : applyMap(kind, found.map, stored)
}
