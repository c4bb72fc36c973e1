import { defineProject } from "vitest/config"
import { timeouts } from "../../vitest.timeouts.ts"

export default defineProject({
  test: { ...timeouts, name: "@signalbox/redis", include: ["test/**/*.test.ts"] }
})
