import { defineProject } from "vitest/config"

export default defineProject({
  test: {
    name: "proof",
    include: ["*.test.ts"],
    globalSetup: ["../packages/sql/test/postgresServer.ts"],
    testTimeout: 30_000,
    // The reference client takes a second to load, and no suite changes a module.
    isolate: false
  }
})
