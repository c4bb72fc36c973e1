import { assert, test } from "vitest"
import { StoreUnavailable } from "../../../src/values/errors/StoreUnavailable.ts"

test("a failure of a store whose cause has no text says so, and does not throw", () => {
  const cause: unknown = Object.assign(Object.create(null), { code: "ECONNRESET" })
  assert.include(new StoreUnavailable({ cause }).message, "ECONNRESET")
})
