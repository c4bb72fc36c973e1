/** What an import of the package loads of Node. */
import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { expect, it } from "vitest"

const listLoaded = async (entry: string): Promise<ReadonlyArray<string>> => {
  const code = `await import(${JSON.stringify(entry)}); console.log(JSON.stringify(process.moduleLoadList))`
  const { stdout } = await promisify(execFile)(process.execPath, [
    "--input-type=module",
    "-e",
    code
  ])
  return JSON.parse(stdout)
}

it("loads neither undici nor HTTP/2, which an import of node:http brings along", async () => {
  const loaded = await listLoaded(join(import.meta.dirname, "../src/index.ts"))
  expect(loaded).toContain("NativeModule http")
  expect(loaded).not.toContain("NativeModule internal/deps/undici/undici")
  expect(loaded).not.toContain("NativeModule http2")
}, 60_000)
