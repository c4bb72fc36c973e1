import { defineConfig } from "vitest/config"

/** An application that installs the packages as published. It packs them, so nothing else may build meanwhile. */
export default defineConfig({
  test: {
    name: "acceptance",
    include: ["e2e/mission/*.acceptance.ts"],
    globalSetup: [
      "vitest.browser.ts",
      "packages/sql/test/postgresServer.ts",
      "e2e/mission/installApplication.ts"
    ],
    fileParallelism: false,
    // A process that was killed is replaced after its lease of fifteen seconds, and the machine may be busy.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: 240_000, interval: 100 } }
  }
})
