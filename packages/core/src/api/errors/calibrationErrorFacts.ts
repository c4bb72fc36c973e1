/** Errors of calibration. */
import type { NotLabelable } from "../../domains/calibration/CalibrationErrors.ts"
import type { ErrorTable } from "./ErrorFacts.ts"

export const calibrationErrorFacts: ErrorTable<NotLabelable> = {
  NotLabelable: ({ id }) => ({
    status: 400,
    message: `The generation ${id} cannot be labelled: only a Decision answered with calibration: { mode: "auto" } can`,
    reason: "not_labelable",
    retryable: false
  })
}
