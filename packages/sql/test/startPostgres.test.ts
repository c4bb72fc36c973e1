import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { expect, it } from "vitest"

it("leaves the exit code of a process whose tests failed", () => {
  const program = `
    import ${JSON.stringify(join(import.meta.dirname, "startPostgres.ts"))}
    process.exitCode = 3`
  const { status } = spawnSync(process.execPath, ["--input-type=module", "--eval", program])
  expect(status).toBe(3)
})
