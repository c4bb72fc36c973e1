/** Random commands against interns and a simple model. */
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { scaleRuns } from "../../../../../vitest.scope.ts"
import { internCommand, checkAgainstModel } from "./internModel.ts"

describe("interns under any requests", () => {
  it("match a simple model", async () => {
    const obeyed = fc.assert(
      fc.asyncProperty(
        fc.array(internCommand, { minLength: 5, maxLength: 40, size: "max" }),
        (commands) => checkAgainstModel(commands)
      ),
      { numRuns: scaleRuns(200) }
    )
    assert.isUndefined(await obeyed)
  })
})
