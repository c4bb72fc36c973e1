import { defineProject } from "vitest/config"

export default defineProject({
  test: { name: "@signalbox/openrouter", include: ["test/**/*.test.ts"], testTimeout: 30_000 }
})
