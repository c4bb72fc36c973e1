/** Calibration reaches its goals on answers of real models; `node bench/calibration.ts` prints the figures. */
import { expect, test } from "vitest"
import { pickScope } from "../../vitest.scope.ts"
import { measureCalibration } from "../science/calibrationGoals.ts"

test("calibrated answers of models to MMLU-Pro meet every goal", () => {
  const { goals } = pickScope({
    full: () => measureCalibration(20),
    sample: () => measureCalibration(4, ["nano", "l8", "l70"])
  })()
  expect(goals.length).toBeGreaterThan(50)
  expect(goals.filter(({ isMet }) => !isMet)).toEqual([])
})
