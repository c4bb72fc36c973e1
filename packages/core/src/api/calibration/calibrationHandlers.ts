/** Handlers of the calibration operations. */
import * as Effect from "effect/Effect"
import type { StoredMaps } from "../../domains/calibration/CalibrationStore.ts"
import { type CalibrationFilter, Calibrations } from "../../domains/calibration/Calibrations.ts"
import type { FittedMap } from "../../domains/calibration/FittedMaps.ts"
import type { Caller } from "../../tenants/auth/Caller.ts"
import type { Handlers } from "../operation/Handler.ts"
import type { CalibrationApi, CalibrationResponse, FiguresResponse } from "./CalibrationApi.ts"

export const calibrationHandlers = Effect.gen(function* () {
  const calibrations = yield* Calibrations

  const report = ({ account }: Caller, filter: CalibrationFilter) =>
    Effect.map(calibrations.report(account, filter), (stored) => ({
      data: toCalibrationResponse(stored)
    }))

  return {
    label: ({ payload: { generation_id, labels, weight = 1 } }, { caller }) =>
      Effect.map(
        calibrations.label(caller, { generation: generation_id, labels, weight }),
        (labeled) => ({ data: { generation_id, labeled } })
      ),
    get: ({ query }, { caller }) => report(caller, query),
    refit: ({ query }, { caller }) =>
      Effect.andThen(calibrations.refit(caller.account, query), report(caller, query)),
    forget: ({ query }, { caller }) =>
      Effect.map(calibrations.forget(caller, query), (deleted) => ({ data: { deleted } }))
  } satisfies Handlers<typeof CalibrationApi>
})

/** Converts fitted maps to the form of the HTTP API. */
const toCalibrationResponse = (stored: ReadonlyArray<StoredMaps>): CalibrationResponse => ({
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
