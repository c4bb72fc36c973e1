import { expect, test } from "vitest"
import { checkInstallation } from "../src/doctor/checkInstallation.ts"

test.each([
  ["v22.18.0", "failed"],
  ["v22.19.0-nightly20260101", "failed"],
  ["v22.19.0", "ok"],
  ["v26.0.0", "ok"]
])("Node %s has %s", (version, status) => {
  expect(checkInstallation([import.meta.dirname], version)[0]).toMatchObject({
    name: "Node",
    status
  })
})
