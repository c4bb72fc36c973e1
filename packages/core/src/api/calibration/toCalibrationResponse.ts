/** Converts fitted maps to the form of the HTTP API. */
import type { StoredMaps } from "../../domains/calibration/CalibrationStore.ts"
import type { FittedMap } from "../../domains/calibration/FittedMaps.ts"
import type { CalibrationResponse, FiguresResponse } from "./CalibrationApi.ts"

export const toCalibrationResponse = (stored: ReadonlyArray<StoredMaps>): CalibrationResponse => ({
  maps: stored.flatMap(({ fitted, kind, method, model }) =>
    fitted.maps.map(({ all, labelers, map: { type, ...parameters }, question = null, recent }) => ({
      model,
      method,
      kind,
      question,
      map: type,
      parameters,
      fitted_at: new Date(fitted.fittedAt).toISOString(),
      labeled_by: (labelers ?? []).map(({ labeler: { isManager, key, user }, ...counts }) => ({
        user: user ?? null,
        key: key ?? null,
        manager: isManager === true,
        ...counts
      })),
      ...toComparisonResponse(all),
      recent: toComparisonResponse(recent)
    }))
  )
})

const toComparisonResponse = ({ after, before, samples }: FittedMap["all"]) => ({
  samples,
  before: toFiguresResponse(before),
  after: toFiguresResponse(after)
})

const toFiguresResponse = ({
  bins,
  brier,
  chanceEce,
  ece,
  equalMassEce,
  nll
}: FittedMap["all"]["before"]): typeof FiguresResponse.Type => ({
  ece,
  ece_equal_mass: equalMassEce,
  ece_by_chance: chanceEce,
  brier,
  nll,
  bins
})
