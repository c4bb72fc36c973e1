/** A request that does not use the cache of responses runs nothing for it. */
import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { expect, it } from "vitest"

const requests = ["chat", "chat, streamed", "Decision"]

it("calls no function more often because there is a cache", async () => {
  const program = join(import.meta.dirname, "unusedCacheProgram.ts")
  const { stdout } = await promisify(execFile)(process.execPath, [program])
  expect(JSON.parse(stdout)).toEqual(Object.fromEntries(requests.map((name) => [name, []])))
  // Coverage compiles everything anew, which takes a while on a busy machine.
}, 600_000)
