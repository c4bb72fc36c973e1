import { defineProject } from "vitest/config"

export default defineProject({
  test: { name: "example-servers", include: ["test/**/*.test.ts"], testTimeout: 30_000 }
})
