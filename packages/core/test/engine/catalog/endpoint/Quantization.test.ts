import { assert, describe, it } from "vitest"
import {
  matchesQuantization,
  Quantization
} from "../../../../src/engine/catalog/endpoint/Quantization.ts"

describe("covers", () => {
  const wider: Readonly<Record<string, ReadonlyArray<string>>> = {
    fp4: ["fp4", "mxfp4", "nvfp4"],
    fp8: ["fp8", "mxfp8"]
  }
  const levels = Quantization.literals

  it.each(levels)("%s stands for itself and for its own formats only", (requested) => {
    assert.deepStrictEqual(
      levels.filter((actual) => matchesQuantization(requested, actual)),
      levels.filter((actual) => (wider[requested] ?? [requested]).includes(actual))
    )
  })
})
