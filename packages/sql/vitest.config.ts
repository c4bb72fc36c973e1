import { defineProject } from "vitest/config"

export default defineProject({
  test: {
    name: "@signalbox/sql",
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/postgresServer.ts"],
    testTimeout: 30_000
  }
})
