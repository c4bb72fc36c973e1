/** Runs the model-based test of interns in memory on SQLite. */
import { sqlite } from "@signalbox/sql"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { scaleRuns } from "../../vitest.scope.ts"
import {
  internCommand,
  checkAgainstModel
} from "../../packages/core/test/domains/interns/internModel.ts"

test("interns on SQLite behave like the reference model", async () => {
  const obeyed = fc.assert(
    fc.asyncProperty(
      fc.array(internCommand, { minLength: 5, maxLength: 30, size: "max" }),
      (commands) => checkAgainstModel(commands, sqlite({ path: ":memory:" }))
    ),
    { numRuns: scaleRuns(30) }
  )
  await expect(obeyed).resolves.toBeUndefined()
})
