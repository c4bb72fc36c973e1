/** `signalbox serve` on SQLite and on Postgres, called by the reference client. */
import { once } from "node:events"
import { stat } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { createClient } from "@signalbox/client"
import { reply, ScriptedUpstream } from "@signalbox/testing"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { describe, expect, inject, test } from "vitest"
import { makeClient } from "../support/makeClient.ts"
import { makeSqlClient } from "../support/makeSqlClient.ts"
import { makeServeFolder, managementKey, ServeProcess } from "./ServeProcess.ts"

const upstreamKey = "sk-of-the-upstream"

const writeConfig = (upstream: string, server = "{}"): string => `
import { defineConfig } from "@signalbox/cli"
import { openrouter } from "@signalbox/openrouter"

const price = { prompt: "0.000001", completion: "0.000002" }
export default defineConfig({
  upstreams: [openrouter({ baseUrl: "${upstream}", apiKey: "${upstreamKey}" })],
  models: [
    { id: "acme/talker", endpoints: [{ provider: "openrouter", contextLength: 8000, price }] }
  ],
  server: ${server}
})
`

const ask = (url: string, path: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${url}/api/v1${path}`, { headers })

const chatRequest = {
  model: "acme/talker",
  messages: [{ role: "user" as const, content: "Is it calm at sea?" }]
}

/** A database of its own on the server of the tests. */
const makeDatabase = async (): Promise<string> => {
  const url = new URL(inject("postgresUrl"))
  const name = `serve_${crypto.randomUUID().replaceAll("-", "")}`
  await Effect.runPromise(
    Effect.flatMap(SqlClient, (sql) => sql.unsafe(`CREATE DATABASE ${name}`)).pipe(
      Effect.provide(makeSqlClient({ kind: "postgres", url: url.href, schema: "public" }))
    )
  )
  url.pathname = `/${name}`
  return url.href
}

const databases: ReadonlyArray<readonly [name: string, make: () => Promise<object>]> = [
  ["SQLite", async () => ({})],
  ["Postgres", async () => ({ DATABASE_URL: await makeDatabase() })]
]

describe.each(databases)("signalbox serve on %s", (name, makeEnvironment) => {
  test("answers Decisions and chats, and keeps its data when it restarts", async () => {
    await using upstream = await ScriptedUpstream.start()
    await using folder = await makeServeFolder(writeConfig(upstream.url))
    const environment = { ...(await makeEnvironment()) }
    await using first = await ServeProcess.start(folder, environment)
    const url = await first.url
    const admin = createClient({ baseUrl: url, apiKey: managementKey })
    const { key } = await admin.keys.create({ name: "ci" })
    const client = makeClient({ root: url }, key)

    upstream.script(reply.decision({ angry: 0.9 }), reply.chat("It is calm."))
    const decided = await client.alpha.decisions.create(
      {
        decisionsRequest: {
          model: "acme/talker",
          state: "I was charged twice!",
          questions: { angry: { type: "noul", instructions: "Is the customer angry?" } }
        }
      },
      { serverURL: url }
    )
    expect(decided.answers).toMatchObject({ angry: { type: "noul" } })
    const completed = await client.chat.send({ chatRequest: { ...chatRequest, stream: false } })
    expect(completed).toMatchObject({ choices: [{ message: { content: "It is calm." } }] })
    expect(await first.stop()).toBe(0)
    const lines = first.lines.map(({ message, path }) => path ?? message)
    expect(lines).toEqual([
      "listening",
      "/api/v1/keys",
      "/api/alpha/decisions",
      "/api/v1/chat/completions",
      "stopping",
      "stopped"
    ])
    const isFile = name === "SQLite"
    const file = isFile ? await stat(join(folder.path, "signalbox.db")) : undefined
    expect(file && file.mode & 0o777).toBe(isFile ? 0o600 : undefined)

    await using second = await ServeProcess.start(folder, environment)
    const again = makeClient({ root: await second.url }, key)
    const { data } = await again.generations.getGeneration({ id: String(Object(completed).id) })
    expect(data).toMatchObject({ model: "acme/talker" })
    expect(await second.stop()).toBe(0)
    for (const secret of [key, managementKey, upstreamKey]) {
      expect(first.output + second.output).not.toContain(secret)
    }
  })
})

describe("signalbox serve", () => {
  test("ends with the shell of npx, which does not pass SIGTERM on", async () => {
    await using folder = await makeServeFolder(writeConfig("http://127.0.0.1:1"))
    await using server = await ServeProcess.start(folder, { npm_command: "exec" }, [], {
      shell: true
    })
    await server.url
    server.signal("SIGTERM")
    // Its output closes when the server has ended, too.
    await server.exited
    expect(server.lines.map(({ message }) => message)).toEqual(
      expect.arrayContaining(["stopping", "stopped"])
    )
  })

  test("finishes running requests after SIGTERM, and is not ready meanwhile", async () => {
    await using upstream = await ScriptedUpstream.start()
    await using folder = await makeServeFolder(writeConfig(upstream.url))
    await using server = await ServeProcess.start(folder)
    const url = await server.url
    expect((await ask(url, "/signalbox/ready")).status).toBe(200)
    const { key } = await createClient({ baseUrl: url, apiKey: managementKey }).keys.create({
      name: "ci"
    })
    const gate = upstream.gate()
    upstream.script(reply.chat(["It ", gate, "is."]))
    const answer = await fetch(`${url}/api/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ ...chatRequest, stream: true })
    })
    server.signal("SIGTERM")
    await server.stopping
    // It does not listen any more.
    await expect
      .poll(() =>
        ask(url, "/signalbox/live").then(
          () => "open",
          () => "closed"
        )
      )
      .toBe("closed")
    gate.open()
    expect(await answer.text()).toMatch(/"is\."[^]*data: \[DONE\]/)
    expect(await server.exited).toBe(0)
  })

  test("says that it is not ready before it stops listening", async () => {
    await using upstream = await ScriptedUpstream.start()
    await using folder = await makeServeFolder(
      writeConfig(upstream.url, "{ drainNoticeMillis: 600_000, mount: '/ai/' }")
    )
    await using server = await ServeProcess.start(folder)
    const url = await server.url
    expect(new URL(url).pathname).toBe("/ai")
    server.signal("SIGINT")
    await server.stopping
    expect((await ask(url, "/signalbox/ready")).status).toBe(503)
    expect((await ask(url, "/signalbox/live")).status).toBe(200)
    // After a second signal the process does not wait for the notice period.
    server.signal("SIGINT")
    expect(await server.exited).toBe(130)
  })

  test("serves the console to users with a management key", async () => {
    await using upstream = await ScriptedUpstream.start()
    await using folder = await makeServeFolder(writeConfig(upstream.url, "{ console: true }"))
    await using server = await ServeProcess.start(folder)
    const url = await server.url
    const { key } = await createClient({ baseUrl: url, apiKey: managementKey }).keys.create({
      name: "ci"
    })
    const open = async (password?: string) => {
      const authorization = `Basic ${Buffer.from(`me:${password}`).toString("base64")}`
      const { headers, status } = await fetch(`${url}/console/session`, {
        ...(password === undefined ? undefined : { headers: { authorization } })
      })
      return [status, headers.get("www-authenticate")]
    }
    const refused = [401, expect.stringContaining("Basic realm=")]
    expect(await open()).toEqual(refused)
    expect(await open(key)).toEqual(refused)
    expect(await open("sk-of-nobody")).toEqual(refused)
    expect(await open(managementKey)).toEqual([200, null])
    expect(server.output).not.toContain(managementKey)
  })

  test("shows new keys once on a terminal, and a request that works with one of them", async () => {
    await using upstream = await ScriptedUpstream.start()
    await using folder = await makeServeFolder(writeConfig(upstream.url))
    await folder.write("terminal.mjs", "process.stdout.isTTY = true")
    const environment = {
      NODE_OPTIONS: `--import ${join(folder.path, "terminal.mjs")}`,
      NO_COLOR: "1",
      SIGNALBOX_MANAGEMENT_KEY: ""
    }
    await using first = await ServeProcess.start(folder, environment, [], { json: false })
    await first.said("Ask a model:")
    await first.said("-d '")
    const [, url = ""] = /^Signalbox listens on (\S+)$/m.exec(first.output) ?? []
    const [, apiKey = ""] = /^export SIGNALBOX_API_KEY=(\S+)/m.exec(first.output) ?? []
    const [, management = ""] = /^export SIGNALBOX_MANAGEMENT_KEY=(\S+)/m.exec(first.output) ?? []
    const [, path = "", body = ""] =
      /^curl http:\/\/[^/]+(\S+) -H "Authorization: Bearer \$SIGNALBOX_API_KEY" \\\n.*\n {2}-d '(.*)'$/m.exec(
        first.output
      ) ?? []
    const authorization = `Bearer ${apiKey}`
    const answer = await fetch(url + path, {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body
    })
    expect(answer.status).toBe(200)
    const { data } = await createClient({ baseUrl: url, apiKey: management }).keys.list()
    expect(data.map(({ name }) => name).toSorted()).toEqual(["first key", "first management key"])
    expect(await first.stop()).toBe(0)

    await using second = await ServeProcess.start(folder, environment, [], { json: false })
    await second.said("-d '")
    expect(second.output).not.toMatch(/sk-sb-v1-|new keys/)
    await second.stop()
  })

  test("creates no key without showing it", async () => {
    await using folder = await makeServeFolder(writeConfig("http://127.0.0.1:1"))
    await using server = await ServeProcess.start(folder, { SIGNALBOX_MANAGEMENT_KEY: "" })
    expect(await server.exited).toBe(1)
    expect(server.output).toContain("Set $SIGNALBOX_MANAGEMENT_KEY to a secret of your own")
    await using weak = await ServeProcess.start(folder, { SIGNALBOX_MANAGEMENT_KEY: "weak" })
    expect(await weak.exited).toBe(1)
    expect(weak.output).toContain("must have at least 20 characters")
  })

  test("says what is wrong with its configuration, its port or its database", async () => {
    await using upstream = await ScriptedUpstream.start()
    await using folder = await makeServeFolder(writeConfig(upstream.url))
    const fail = async (
      environment: Readonly<Record<string, string>>,
      ...args: ReadonlyArray<string>
    ) => {
      await using server = await ServeProcess.start(folder, environment, args)
      return [await server.exited, server.output] as const
    }
    await using taken = createServer().listen(0, "127.0.0.1")
    await once(taken, "listening")
    const { port } = taken.address() as AddressInfo
    const cases = [
      [await fail({}, "--port", String(port)), `Port ${port} of 127.0.0.1 is in use`],
      [await fail({}, "--host", "203.0.113.1"), "This machine has no address 203.0.113.1"],
      [await fail({}, "--port", "65536"), "--port must be a number from 0 to 65535"],
      [await fail({}, "--database", "./none/a.db"), "the path must name a file in an existing"],
      [
        await fail({ DATABASE_URL: "postgres://me:secret-word@127.0.0.1:1/db" }),
        "cannot use Postgres at 127.0.0.1:1/db: "
      ]
    ] as const
    for (const [[code, output], problem] of cases) {
      expect([code, output]).toEqual([1, expect.stringContaining(problem)])
      expect(output).not.toContain("secret-word")
    }
    await folder.write(
      "signalbox.config.ts",
      'export default {\n  upstreams: [],\n  models: [{\n    id: "a/b",\n    endpoints: [{ provider: "none", price: {} }] }]\n}\n'
    )
    expect(await fail({})).toEqual([
      1,
      expect.stringContaining('signalbox.config.ts:4: model "a/b" names the provider "none"')
    ])
  })
})
