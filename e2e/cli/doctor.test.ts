/** `signalbox doctor` with healthy and with broken providers and databases. */
import { existsSync } from "node:fs"
import { mkdir } from "node:fs/promises"
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { once } from "node:events"
import { join } from "node:path"
import { describe, expect, inject, test } from "vitest"
import { runCli } from "../../packages/cli/test/runCli.ts"
import { makeServeFolder, ServeProcess } from "./ServeProcess.ts"

const key = "sk-of-the-upstream"

/** The requests of the four dialects, and where each has its key. */
const isAuthorized = ({ headers, url = "" }: IncomingMessage): boolean => {
  switch (url) {
    case "/openai/v1/models":
    case "/openrouter/api/v1/key":
      return headers.authorization === `Bearer ${key}`
    case "/anthropic/v1/models":
      return headers["x-api-key"] === key && headers["anthropic-version"] === "2023-06-01"
    case "/google/v1beta/models?pageSize=1":
      return headers["x-goog-api-key"] === key
    default:
      return false
  }
}

const startProviders = async () => {
  const server = createServer((request, response) => {
    // Only the clock is asked without a key.
    const status = request.method === "HEAD" ? 404 : isAuthorized(request) ? 200 : 401
    response.writeHead(status, { "content-type": "application/json" }).end("{}")
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}

const writeConfig = (url: string, apiKey = key): string => `
import { anthropic } from "@signalbox/anthropic"
import { google } from "@signalbox/google"
import { openai } from "@signalbox/openai"
import { openrouter } from "@signalbox/openrouter"

const apiKey = "${apiKey}"
export default {
  upstreams: [
    openai({ baseUrl: "${url}/openai/v1", apiKey }),
    anthropic({ baseUrl: "${url}/anthropic", apiKey }),
    google({ baseUrl: "${url}/google/v1beta", apiKey }),
    openrouter({ baseUrl: "${url}/openrouter", apiKey }),
    { slug: "own", name: "Own" }
  ],
  models: []
}
`

const examine = (
  folder: { readonly path: string },
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = {}
) =>
  runCli(["doctor", "--config", join(folder.path, "signalbox.config.ts"), ...args], {
    env,
    fromSource: true
  })

/**
 * The doctor checks the packages that the configuration and the program import, so the folder needs the workspace's
 * packages.
 */
const makeFolder = (config: string) =>
  makeServeFolder(config, join(import.meta.dirname, "../../node_modules"))

describe("signalbox doctor", () => {
  test("finds everything in order, and changes nothing", async () => {
    await using providers = await startProviders()
    await using folder = await makeFolder(writeConfig(providers.url))
    const database = join(folder.path, "signalbox.db")
    const { code, stderr, stdout } = await examine(folder, ["--database", database])
    expect([code, stderr]).toEqual([0, ""])
    expect(stdout).toMatch(/^✓ Node +v\d+/m)
    expect(stdout).toMatch(/^✓ effect +\d\S+, one copy$/m)
    expect(stdout).toMatch(/^✓ @signalbox\/\* +\S+, \d+ packages$/m)
    expect(stdout).toMatch(/^✓ storage +SQLite, .*: writable, created by the first start$/m)
    expect(stdout).toMatch(/^✓ clock +\d\.\d s (?:behind|ahead of) 127\.0\.0\.1:\d+$/m)
    for (const slug of ["openai", "anthropic", "google-ai-studio", "openrouter"]) {
      expect(stdout).toMatch(new RegExp(`^✓ upstream ${slug} .*: credential accepted$`, "m"))
    }
    expect(stdout).toMatch(/^– upstream own +it offers no request without a cost$/m)
    expect(stdout).not.toContain(key)
    expect(stdout).not.toContain("\u001b")
    expect(existsSync(database)).toBe(false)
  })

  test("looks at a database that a server uses", async () => {
    await using providers = await startProviders()
    await using folder = await makeFolder(writeConfig(providers.url))
    await using served = await makeServeFolder("export default { upstreams: [], models: [] }")
    await using server = await ServeProcess.start(served)
    await server.url
    const { code, stdout } = await examine(folder, [
      "--database",
      join(served.path, "signalbox.db"),
      "--json"
    ])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      checks: expect.arrayContaining([
        {
          name: "storage",
          status: "ok",
          detail: expect.stringMatching(/: writable, all \d+ migrations$/)
        }
      ])
    })
  })

  test("looks at Postgres and its clock", async () => {
    await using providers = await startProviders()
    await using folder = await makeFolder(writeConfig(providers.url))
    const { code, stdout } = await examine(folder, [], { DATABASE_URL: inject("postgresUrl") })
    expect(code).toBe(0)
    expect(stdout).toMatch(/^✓ storage +Postgres, \S+: writable, /m)
    expect(stdout).toMatch(/^✓ clock +\d\.\d s (?:behind|ahead of) the database$/m)
  })

  test("says what to do about refused credentials and silent providers", async () => {
    await using providers = await startProviders()
    await using folder = await makeFolder(writeConfig(providers.url, "sk-of-somebody-else"))
    const args = ["--database", ":memory:"]
    const refused = await examine(folder, args, { FORCE_COLOR: "1" })
    expect(refused.code).toBe(1)
    expect(refused.stdout).toMatch(/✗\S* upstream openai .*: credential refused \(401\)/)
    expect(refused.stdout).toContain("→ check the variable that holds it")
    expect(refused.stdout).toContain("\u001b[31m✗")
    expect(refused.stdout).not.toContain("sk-of-somebody-else")
    await folder.write("signalbox.config.ts", writeConfig("http://127.0.0.1:1"))
    const silent = await examine(folder, args)
    expect(silent.code).toBe(1)
    expect(silent.stdout).toMatch(/^✗ upstream anthropic .*: unreachable: ECONNREFUSED$/m)
    expect(silent.stdout).toContain("→ check its baseUrl, and whether DNS")
  })

  test("says what to do about broken storage", async () => {
    await using providers = await startProviders()
    await using folder = await makeFolder(writeConfig(providers.url))
    const text = await folder.write("text.db", "this is a text and no database")
    const cases: ReadonlyArray<readonly [string, string]> = [
      [text, "give the path of another file"],
      [join(folder.path, "none/a.db"), "its folder is missing"],
      ["postgres://me:secret-word@127.0.0.1:1/db", "is Postgres running there"]
    ]
    for (const [database, advice] of cases) {
      const { code, stdout } = await examine(folder, ["--database", database])
      expect([database, code, stdout]).toEqual([database, 1, expect.stringContaining(advice)])
      expect(stdout).toMatch(/^✗ storage /m)
      expect(stdout).not.toContain("secret-word")
    }
  })

  test("reports a broken configuration, and does without one", async () => {
    await using folder = await makeFolder("export default {\n  upstreams: [] }")
    const broken = await examine(folder, ["--json"])
    expect(broken.code).toBe(1)
    expect(JSON.parse(broken.stdout).checks).toContainEqual(
      expect.objectContaining({
        name: "configuration",
        status: "failed",
        advice: expect.stringContaining("models is missing")
      })
    )
    const none = await runCli(["doctor"], { fromSource: true })
    expect([none.code, none.stdout]).toEqual([
      0,
      expect.stringMatching(/^– configuration +there is no signalbox\.config\.mts in /m)
    ])
  })

  test("names the copies of effect when there are several", async () => {
    await using folder = await makeFolder("export default { upstreams: [], models: [] }")
    const place = join(folder.path, "application")
    await mkdir(join(place, "node_modules/effect"), { recursive: true })
    await folder.write(
      "application/node_modules/effect/package.json",
      JSON.stringify({ name: "effect", version: "3.21.0" })
    )
    await folder.write(
      "application/signalbox.config.mjs",
      "export default { upstreams: [], models: [] }"
    )
    const { code, stdout } = await runCli([
      "doctor",
      "--database",
      ":memory:",
      "--config",
      join(place, "signalbox.config.mjs")
    ])
    expect(code).toBe(1)
    expect(stdout).toMatch(/^✗ effect +2 copies: effect 3\.21\.0 in \S+, effect 4\.\S+ in /m)
    expect(stdout).toContain("npm dedupe")
  })
})
