import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    projects: [
      "packages/*/vitest.config.ts",
      "examples/*/vitest.config.ts",
      "scripts/vitest.config.ts",
      "e2e/vitest.config.ts"
    ],
    coverage: {
      provider: "v8",
      include: ["packages/*/src/**/*.ts"],
      reporter: ["text-summary", "json-summary", "lcovonly"],
      thresholds: { lines: 90, functions: 90, branches: 70, statements: 90 }
    }
  }
})
