import { defineProject } from "vitest/config"
import { timeouts } from "../../vitest.timeouts.ts"

export default defineProject({
  test: {
    ...timeouts,
    name: "@signalbox/sql",
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/postgresServer.ts"]
  }
})
