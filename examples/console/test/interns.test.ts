/** Runs the script of the README that creates, chats with and deletes an intern. */
import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { defaultWorkspaceId } from "@signalbox/core"
import { expect, test } from "vitest"
import { startExampleServer } from "./ExampleServer.ts"

const readme = readFileSync(join(import.meta.dirname, "../README.md"), "utf8")
const [, script = ""] = /## An intern[^]*?```sh\n([^]*?)```/.exec(readme) ?? []

/** The answer of each stream. */
const parseAnswers = (printed: string): ReadonlyArray<string> =>
  printed
    .split("data: [DONE]")
    .slice(0, -1)
    .map((stream) =>
      Array.from(stream.matchAll(/"content":("(?:[^"\\]|\\.)*")/g), ([, text = ""]): string =>
        JSON.parse(text)
      ).join("")
    )

test("the README names the default workspace", () => {
  expect(script).toContain(`WORKSPACE=${defaultWorkspaceId}\n`)
})

test("the intern script of the README works", async () => {
  const example = await startExampleServer("server", { PORT: "0" })
  try {
    const { origin } = new URL((await example.curl()).url)
    const { stdout } = await promisify(execFile)(
      "sh",
      ["-euc", script.replace("http://127.0.0.1:3000", origin)],
      { env: { PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}` } }
    )
    const [first = "", second] = parseAnswers(stdout)
    expect(first).toContain("Calm at sea")
    expect(second).toBe(first)
    expect(stdout).toContain('{"provisioning":true}')
    expect(stdout).toContain('"session_id":"session-')
    expect(stdout.endsWith('{"deleting":true}')).toBe(true)
  } finally {
    example.kill("SIGKILL")
  }
})
