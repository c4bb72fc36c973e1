import { defineProject } from "vitest/config"
import { timeouts } from "../vitest.timeouts.ts"

export default defineProject({
  test: {
    ...timeouts,
    name: "e2e",
    include: ["**/*.test.ts"],
    globalSetup: ["../packages/sql/test/postgresServer.ts"],
    // The reference client takes a second to load, and no suite changes a module.
    isolate: false
  }
})
