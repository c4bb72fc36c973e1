import { mkdtempSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { Decision } from "@signalbox/core/contract"
import * as Schema from "effect/Schema"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import {
  type HttpRequest,
  parseCurls,
  type RunningServer,
  startExampleServer,
  send
} from "./ExampleServer.ts"

const waitOptions = { timeout: 240_000, interval: 20 }
const decode = Schema.decodeUnknownSync(Decision)

describe("the server of npm start", () => {
  let example: RunningServer
  let curl: HttpRequest

  /** The request of the curl command, with changes. */
  const sendChanged = (
    change: Readonly<Record<string, unknown>>,
    headers: Readonly<Record<string, string>> = {}
  ) =>
    send({
      url: curl.url,
      headers: { ...curl.headers, ...headers },
      body: JSON.stringify({ ...JSON.parse(curl.body), ...change })
    })

  beforeAll(async () => {
    example = await startExampleServer("server", { PORT: "0" })
    curl = await example.curl()
  })
  afterAll(() => example.kill("SIGKILL"))

  test("prints curl commands that all succeed", async () => {
    let id = "none"
    const statuses: Array<readonly [string, number]> = []
    for (const each of parseCurls(example.printed())) {
      const url = each.url.replace("{id}", id)
      const answer = await send({ ...each, url })
      statuses.push([new URL(each.url).pathname, answer.status])
      const text = await answer.text()
      id = /"id":"(gen-vid-[^"]+)"/.exec(text)?.[1] ?? id
    }
    expect(statuses).toEqual([
      [expect.stringContaining("/api/alpha/decisions"), 200],
      [expect.stringContaining("/api/v1/chat/completions"), 200],
      [expect.stringContaining("/api/v1/chat/completions"), 200],
      [expect.stringContaining("/api/v1/videos"), 202],
      [expect.stringContaining("/api/v1/videos/"), 200],
      // It is not made yet.
      [expect.stringContaining("/content"), 409],
      [expect.stringContaining("/api/v1/models"), 200],
      [expect.stringContaining("/api/v1/keys"), 201]
    ])
  })

  test("prints curl commands for chats, whole and streamed", async () => {
    const curls = parseCurls(example.printed()).filter(({ url }) =>
      url.endsWith("/chat/completions")
    )
    const texts = await Promise.all(curls.map(async (each) => (await send(each)).text()))
    expect(texts).toHaveLength(2)
    const [whole = "", streamed = ""] = texts
    expect(JSON.parse(whole)).toMatchObject({
      choices: [{ message: { content: "You said: Is it calm at sea?" }, finish_reason: "stop" }]
    })
    const words = Array.from(streamed.matchAll(/"content":"([^"]*)"/g), ([, word]) => word)
    expect(words.join("")).toBe("You said: Is it calm?")
    expect(words).toHaveLength(5)
    expect(streamed).toMatch(/data: \[DONE\]\n\n$/)
  })

  test("prints a curl command with a sensible Decision", async () => {
    const response = await send(curl)
    expect(response.status).toBe(200)
    const { answers, model, provider, usage } = decode(await response.json())
    expect(model).toBe("demo/overlap-2")
    expect(provider).toMatch(/^Demo \w+ \(word overlap\)$/)
    expect(usage.cost).toBeGreaterThan(0)
    const { leaving, team, urgency } = answers
    expect(Object.keys(answers)).toEqual(["leaving", "team", "urgency"])
    if (leaving?.type !== "noul" || team?.type !== "choice" || urgency?.type !== "score") {
      throw new Error("an answer has the type of another question")
    }
    expect(leaving.noul).toBeGreaterThan(0.8)
    expect(leaving.noul).toBeLessThan(1)
    expect(team.choice).toBe("billing")
    expect(team.probabilities?.["billing"]).toBeGreaterThan(0.8)
    expect(urgency.score).toBeGreaterThan(2)
    expect(urgency.score).toBeLessThan(3)
  })

  test("falls back for one of three calls to Demo Bargain", async () => {
    const providers: Array<string> = []
    for (let call = 0; call < 3; call++) {
      const response = await sendChanged({ provider: { order: ["demo-bargain"] } })
      providers.push(decode(await response.json()).provider!)
    }
    const others = providers.filter((provider) => provider !== "Demo Bargain (word overlap)")
    expect(others).toEqual(["Demo Steady (word overlap)"])
    await expect
      .poll(example.printed, waitOptions)
      .toMatch(
        /^Demo Bargain \(word overlap\) \| overlap-2 \| overloaded \(503\).*\nDemo Steady \(word overlap\) \| overlap-2 \| answered$/m
      )
  })

  test("prints the address of the reference page", async () => {
    const page = await fetch(/^Reference page: (.+)$/m.exec(example.printed())![1]!)
    expect(page.status).toBe(200)
    expect(page.headers.get("content-type")).toContain("text/html")
    await page.body?.cancel()
  })

  test("leaves other paths to the host", async () => {
    const { origin, pathname } = new URL(curl.url)
    const page = await fetch(origin)
    expect(page.status).toBe(200)
    expect(await page.text()).toBe("This page is the host's own.")
    const elsewhere = await send({ ...curl, url: `${origin}/elsewhere${pathname}` })
    expect(await elsewhere.text()).not.toContain('"code"')
  })

  test("explains the errors of a first attempt", async () => {
    const refusals = await Promise.all(
      [
        sendChanged({}, { Authorization: "Bearer sk-demo-wrong" }),
        sendChanged({}, { Authorization: "Bearer sk-demo-management" }),
        sendChanged({ model: "demo/overlap-3" }),
        sendChanged({ questions: { leaving: { type: "noul" } } }),
        sendChanged({}, { "Content-Type": "application/x-www-form-urlencoded" })
      ].map(async (sent) => {
        const response = await sent
        return { status: response.status, body: await response.json() }
      })
    )
    expect(refusals).toMatchObject([
      { status: 401, body: { error: { code: 401, message: "Missing Authentication header" } } },
      { status: 403, body: { error: { message: expect.stringContaining("use a member") } } },
      {
        status: 400,
        body: {
          error: { message: expect.stringContaining("demo/overlap-3 is not a valid model ID") }
        }
      },
      {
        status: 400,
        body: { error: { message: expect.stringContaining("questions.leaving.instructions") } }
      },
      { status: 400, body: { error: { message: expect.stringContaining("application/json") } } }
    ])
    const organization = await sendChanged({}, { Authorization: "Bearer sk-demo-organization" })
    expect(organization.status).toBe(200)
  })

  test("explains what to do if the port is in use", async () => {
    const busy = createServer()
    const { promise, resolve } = Promise.withResolvers<void>()
    busy.listen(0, "127.0.0.1", resolve)
    await promise
    const address = busy.address()
    const port = typeof address === "object" ? String(address?.port) : ""
    const second = await startExampleServer("server", { PORT: port })
    expect(await second.exited).toBe(1)
    busy.close()
    expect(second.printed()).toContain(`Port ${port} cannot be opened`)
    expect(second.printed()).toMatch(/^ {2}PORT=3001 npm start$/m)
    expect(second.printed()).not.toMatch(/^\s+at /m)
  })

  test("ends with code 0 on SIGTERM", async () => {
    example.kill("SIGTERM")
    expect(await example.exited).toBe(0)
    expect(example.printed()).not.toMatch(/Error:|^\s+at /m)
  })
})

describe("keys of real providers", () => {
  /** Prints every connection that the process opens. */
  const reportConnections = `--import=data:text/javascript,${encodeURIComponent(`
    import { Socket } from "node:net"
    const connect = Socket.prototype.connect
    Socket.prototype.connect = function (...to) {
      console.log("CONNECTS", JSON.stringify(to))
      return connect.apply(this, to)
    }
  `)}`

  const modelsPrinted = async (environment: Readonly<Record<string, string>>) => {
    const example = await startExampleServer("server", {
      PORT: "0",
      NODE_OPTIONS: reportConnections,
      ...environment
    })
    const decision = await send(await example.curl())
    expect(decision.status).toBe(200)
    example.kill("SIGTERM")
    expect(await example.exited).toBe(0)
    const printed = example.printed()
    expect(printed).not.toContain("CONNECTS")
    for (const secret of Object.values(environment).filter((value) => value.includes("dummy"))) {
      expect(printed).not.toContain(secret)
    }
    const [, models = ""] = /^Models you can call:\n((?: {2}.+\n)+)/m.exec(printed) ?? []
    return models.trimEnd().split("\n")
  }

  const demo =
    "  demo/overlap-1, demo/overlap-2, demo/parrot-1, demo/clerk-1, demo/film-1 (no key needed)"
  const openai = "  openai/gpt-6-luna, openai/gpt-4o-mini (OPENAI_API_KEY)"
  const openrouter = "  typesafe/jev-1.13, inception/mercury-decide (OPENROUTER_API_KEY)"
  const OPENAI_API_KEY = "sk-dummy-of-openai"
  const OPENROUTER_API_KEY = "sk-dummy-of-openrouter"

  test("without one, lists the demo models and names the variables", async () => {
    expect(await modelsPrinted({})).toEqual([
      demo,
      "  (more with the key of a provider, such as OPENAI_API_KEY: see examples/console/README.md, Real models)"
    ])
  })

  test.for([
    { environment: { OPENAI_API_KEY }, models: [demo, openai] },
    { environment: { OPENROUTER_API_KEY }, models: [demo, openrouter] },
    { environment: { OPENAI_API_KEY, OPENROUTER_API_KEY }, models: [demo, openai, openrouter] },
    {
      environment: {
        ANTHROPIC_API_KEY: "sk-ant-dummy",
        GEMINI_API_KEY: "dummy-of-google",
        AZURE_OPENAI_RESOURCE: "my-resource",
        AZURE_OPENAI_API_KEY: "dummy-of-azure",
        AWS_REGION: "us-east-1",
        AWS_ACCESS_KEY_ID: "AKIADUMMY",
        AWS_SECRET_ACCESS_KEY: "dummy-of-aws"
      },
      models: [
        demo,
        "  anthropic/claude-haiku-4.5 (ANTHROPIC_API_KEY)",
        "  google/gemini-3.5-flash (GEMINI_API_KEY)",
        "  openai/gpt-5.4-mini (AZURE_OPENAI_API_KEY)",
        "  anthropic/claude-haiku-4.5 (AWS_ACCESS_KEY_ID)"
      ]
    },
    // A resource is missing, so nothing could be called.
    { environment: { AZURE_OPENAI_API_KEY: "dummy-of-azure" }, models: [demo, expect.anything()] }
  ])(
    "%o: their models are listed, and nothing is connected to",
    async ({ environment, models }) => {
      expect(await modelsPrinted(environment)).toEqual(models)
    }
  )
})

test("stops in time under a chat that goes on, whose end says that it was broken off", async () => {
  const example = await startExampleServer("server", { PORT: "0" })
  try {
    const { headers, url } = await example.curl()
    const messages = [{ role: "user", content: "word ".repeat(1_000) }]
    const answer = await send({
      url: url.replace("/api/alpha/decisions", "/api/v1/chat/completions"),
      headers,
      body: JSON.stringify({ model: "demo/parrot-1", stream: true, messages })
    })
    expect(answer.status).toBe(200)
    example.kill("SIGTERM")
    // 1,000 words take 50 seconds; the instance drains for 10.
    expect(await Promise.race([example.exited, setTimeout(120_000, "still there")])).toBe(0)
    const text = await answer.text()
    expect(text.split("\n\n").at(-2)).toContain('"error":{"code":503')
  } finally {
    example.kill("SIGKILL")
  }
})

test("rejects an invalid PORT by name", async () => {
  const example = await startExampleServer("server", { PORT: "three thousand" })
  expect(await example.exited).toBe(1)
  expect(example.printed()).toBe(
    'PORT must be a number from 0 to 65535, got "three thousand". For example: PORT=3001\n'
  )
})

test("a created key survives a kill and a restart", async () => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-"))
  const environment = { PORT: "0", SIGNALBOX_DB: join(folder, "kept.db") }
  /** The number of keys after the last printed one was created. */
  const makeKey = async (): Promise<number> => {
    const example = await startExampleServer("server", environment)
    await example.curl()
    const making = parseCurls(example.printed()).at(-1)
    if (making === undefined) throw new Error("no curl is printed")
    expect((await send(making)).status).toBe(201)
    const { headers, url } = making
    const listed = await (await send({ url, headers })).json()
    example.kill("SIGKILL")
    await example.exited
    return Object(listed).data.length
  }
  const first = await makeKey()
  expect(await makeKey()).toBe(first + 1)
})
