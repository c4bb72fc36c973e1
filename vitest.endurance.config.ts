import { defineConfig } from "vitest/config"

/** The long runs, kept out of `npm test`: minutes of load, leaks, restarts. */
export default defineConfig({
  test: {
    name: "endurance",
    include: ["packages/*/endurance/**/*.endurance.ts", "e2e/endurance/**/*.endurance.ts"],
    passWithNoTests: true,
    fileParallelism: false,
    testTimeout: 60 * 60 * 1000
  }
})
