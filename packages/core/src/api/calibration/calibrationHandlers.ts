/** Handlers of the calibration operations. */
import * as Effect from "effect/Effect"
import type { Caller } from "../../tenants/auth/Caller.ts"
import type { Handlers } from "../operation/Handler.ts"
import { type CalibrationFilter, Calibrations } from "../../domains/calibration/Calibrations.ts"
import type { CalibrationApi } from "./CalibrationApi.ts"
import { toCalibrationResponse } from "./toCalibrationResponse.ts"

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
