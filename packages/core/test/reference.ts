/** Where the reference material is (the public client's OpenAPI document and facts), for the tests that compare the wire with it. */
import { join } from "node:path"
import { describe } from "vitest"

const folder = process.env["SIGNALBOX_REFERENCE"]

/**
 * A `describe` whose tests need the reference material: it hands over the path of each file asked for, and where
 * `SIGNALBOX_REFERENCE` is not set it skips and says so in its name. Read files inside the tests, not around them.
 */
export const describeWithReference = (
  name: string,
  tests: (path: (file: string) => string) => void
): void => {
  const reason = folder === undefined ? " (skips: SIGNALBOX_REFERENCE is not set)" : ""
  describe.skipIf(folder === undefined)(`${name}${reason}`, () => {
    tests((file) => join(folder ?? "", file))
  })
}
