import { defineProject } from "vitest/config"
import { timeouts } from "../../vitest.timeouts.ts"

export default defineProject({
  test: { ...timeouts, name: "@signalbox/fastify", include: ["test/**/*.test.ts"] }
})
