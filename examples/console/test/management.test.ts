/** Runs the management script of the README. */
import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { expect, test } from "vitest"
import { startExampleServer } from "./ExampleServer.ts"

const readme = readFileSync(join(import.meta.dirname, "../README.md"), "utf8")
const [, script = ""] = /## Manage [^]*?```sh\n([^]*?)```/.exec(readme) ?? []

/** The printed JSON values. */
const parseDocuments = (printed: string): ReadonlyArray<unknown> =>
  printed
    .replaceAll("}{", "}\n{")
    .trim()
    .split("\n")
    .map((line): unknown => JSON.parse(line))

test("the management script of the README works", async () => {
  const example = await startExampleServer("server", { PORT: "0" })
  try {
    const { origin } = new URL((await example.curl()).url)
    const paste = () =>
      promisify(execFile)("sh", ["-euc", script.replace("http://127.0.0.1:3000", origin)], {
        env: { PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}` }
      })
    const answered = { answers: { money: { type: "noul" } } }
    // Twice, because the objects of the first run stay in the file of the server.
    for (const { stdout } of [await paste(), await paste()]) {
      expect(parseDocuments(stdout)).toMatchObject([
        answered,
        { assigned_count: 1 },
        { error: { code: 403, metadata: { limit: "guardrail", limit_usd: 1e-7 } } },
        { data: { name: "thrift", limit_usd: 1 } },
        { ...answered, provider: "Demo Premium (word overlap)" },
        { data: { provider: "demo-premium", label: "sk-o...t" } },
        { ...answered, provider: "Demo Premium (word overlap)", usage: { cost: 0 } },
        { deleted: true },
        {
          data: [
            { action: "byok.delete" },
            { action: "byok.create" },
            { action: "guardrail.update" }
          ]
        }
      ])
    }
  } finally {
    example.kill("SIGKILL")
  }
})
