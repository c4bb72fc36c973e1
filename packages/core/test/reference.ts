/** Locates OpenRouter's OpenAPI document and fixtures, for tests of compatibility. */
import { join } from "node:path"
import { describe } from "vitest"

const folder = process.env["SIGNALBOX_REFERENCE"]

/**
 * A `describe` for tests that need files below `SIGNALBOX_REFERENCE`. It is skipped if the variable is not set. Read
 * the files inside the tests, not around them.
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
