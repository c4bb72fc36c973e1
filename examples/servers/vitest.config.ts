import { defineProject } from "vitest/config"
import { timeouts } from "../../vitest.timeouts.ts"

export default defineProject({
  test: { ...timeouts, name: "example-servers", include: ["test/**/*.test.ts"] }
})
