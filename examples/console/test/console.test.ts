/** The server of `npm start`: the console behind its login, with demo traffic and without. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest"
import { firstFilms, makeTrafficRequests } from "../src/demo/traffic/trafficRequests.ts"
import { type RunningServer, startExampleServer } from "./ExampleServer.ts"

const waitOptions = { timeout: 240_000, interval: 100 }
const manager = { headers: { authorization: "Bearer sk-demo-management" } }

const logIn = (origin: string, password: string) =>
  fetch(`${origin}/login`, {
    method: "POST",
    body: new URLSearchParams({ password }),
    redirect: "manual"
  })

const countRequests = async (origin: string): Promise<number> => {
  const metrics = await (await fetch(`${origin}/api/v1/signalbox/metrics`, manager)).text()
  const counts = metrics.matchAll(/^signalbox_requests_total\{.*\} (\d+)/gm)
  return Array.from(counts).reduce((sum, [, count]) => sum + Number(count), 0)
}

/** What the group of the pattern matches, each once. */
const listMatches = (text: string, pattern: RegExp): ReadonlyArray<string> => {
  const states = Array.from(text.matchAll(pattern), ([, state = ""]) => state)
  return Array.from(new Set(states)).toSorted((one, other) => one.localeCompare(other))
}

interface CalibrationMap {
  readonly before: { readonly ece: number }
  readonly after: { readonly ece: number }
}

interface Totals {
  readonly totals: { readonly requests: number }
}

const readData = async <A>(origin: string, path: string) => {
  const response = await fetch(`${origin}/api/v1/signalbox/${path}`, manager)
  return ((await response.json()) as { readonly data: A }).data
}

/** What the demo has made up and set up. */
const readStory = async (origin: string) => {
  const [limits, experiments, incidents, { series }, { maps }] = await Promise.all([
    readData<ReadonlyArray<Record<"limit" | "settled", number> & { name: string }>>(
      origin,
      "limits"
    ),
    readData<ReadonlyArray<{ readonly to: string; readonly trial: { readonly requests: number } }>>(
      origin,
      "experiments"
    ),
    readData<
      ReadonlyArray<{
        readonly provider: string
        readonly state: string
        readonly started_at: string
      }>
    >(origin, "incidents"),
    readData<{ readonly series: ReadonlyArray<Totals> }>(origin, "series?interval=day"),
    readData<{ readonly maps: ReadonlyArray<CalibrationMap> }>(origin, "calibration?kind=noul")
  ])
  return {
    lowLimits: limits.filter(({ limit, settled }) => settled / limit > 0.9).map(({ name }) => name),
    experiments: experiments.map(({ to }) => to),
    isMeasured: experiments.some(({ trial }) => trial.requests > 200),
    incidents: incidents.map(({ provider, state }) => `${provider} ${state}`),
    hasFailedForAnHour: incidents.some(
      ({ started_at: at, state }) => state === "open" && Date.now() - Date.parse(at) >= 3_600_000
    ),
    hasPast: (series[0]?.totals.requests ?? 0) > 500,
    isCalibrated: maps.some(({ after, before }) => after.ece < before.ece)
  }
}

describe.each([
  {
    title: "with demo traffic",
    environment: { DEMO_TRAFFIC: "1", SIGNALBOX_LOCAL_WEBHOOKS: "1" },
    hasTraffic: true
  },
  { title: "without demo traffic", environment: {}, hasTraffic: false }
])("$title", ({ environment, hasTraffic }) => {
  let example: RunningServer
  let origin: string
  beforeAll(async () => {
    example = await startExampleServer("server", { PORT: "0", ...environment })
    ;({ origin } = new URL((await example.curl()).url))
  })
  afterAll(() => example.kill("SIGKILL"))

  test("prints where the console is, and its password", () => {
    expect(example.printed()).toContain(`${origin}/console/`)
    expect(example.printed()).toContain('the password is "demo"')
  })

  test("shows nothing without the login", async () => {
    const page = await fetch(`${origin}/console/`, { redirect: "manual" })
    expect([page.status, page.headers.get("location")]).toEqual([303, "/login"])
    const forged = { headers: { cookie: "session=; session=undefined" } }
    for (const path of ["session", "api/v1/keys", "assets/console.js"]) {
      expect((await fetch(`${origin}/console/${path}`)).status).toBe(403)
      expect((await fetch(`${origin}/console/${path}`, forged)).status).toBe(403)
    }
    expect((await logIn(origin, "guess")).status).toBe(401)
  })

  test("opens the console with the password", async () => {
    const answer = await logIn(origin, "demo")
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/console/"])
    const set = answer.headers.get("set-cookie") ?? ""
    expect(set).toMatch(/; HttpOnly; SameSite=Strict$/)
    const [cookie = ""] = set.split(";")
    const page = await fetch(`${origin}/console/`, { headers: { cookie } })
    expect(await page.text()).toContain('<div id="console">')
    const session = await fetch(`${origin}/console/session`, { headers: { cookie } })
    expect(await session.json()).toMatchObject({
      data: { user: "demo-user", allow: expect.arrayContaining(["keys", "traffic"]) }
    })
  })

  test("ends the session where the console links to", async () => {
    const cookie = (await logIn(origin, "demo")).headers.get("set-cookie")?.split(";")[0] ?? ""
    const session = await fetch(`${origin}/console/session`, { headers: { cookie } })
    expect(await session.json()).toMatchObject({ data: { sign_out_url: "/login/end" } })
    const end = await fetch(`${origin}/login/end`, { headers: { cookie }, redirect: "manual" })
    expect([end.status, end.headers.get("location")]).toEqual([303, "/login"])
    expect(end.headers.get("set-cookie")).toMatch(/^session=;.*Expires=Thu, 01 Jan 1970/)
  })

  test("keeps an operator logged in after a restart", async () => {
    const cookie = (await logIn(origin, "demo")).headers.get("set-cookie")?.split(";")[0] ?? ""
    const restarted = await startExampleServer("server", { PORT: "0", ...environment })
    onTestFinished(() => restarted.kill("SIGKILL"))
    const { origin: other } = new URL((await restarted.curl()).url)
    const ended = cookie.replace(/=\d+/, "=1")
    const read = (session: string) =>
      fetch(`${other}/console/session`, { headers: { cookie: session } })
    expect([(await read(cookie)).status, (await read(ended)).status]).toEqual([200, 403])
  })

  test("tells a story of the last month, only with demo traffic", async () => {
    await expect
      .poll(() => readStory(origin), waitOptions)
      .toEqual({
        lowLimits: hasTraffic ? ["Demo: Lighthouse Ltd"] : [],
        experiments: hasTraffic ? ["demo/atlas-next"] : [],
        isMeasured: hasTraffic,
        incidents: hasTraffic ? ["demo-driftwood open", "demo-northwind ended"] : [],
        hasFailedForAnHour: hasTraffic,
        hasPast: hasTraffic,
        isCalibrated: hasTraffic
      })
  })

  test("sends requests, by several keys, only with demo traffic", async () => {
    await expect.poll(() => countRequests(origin), waitOptions).toBeGreaterThan(hasTraffic ? 2 : -1)
    expect((await countRequests(origin)) > 0).toBe(hasTraffic)
    const [keys, models] = await Promise.all(
      ["keys", "models"].map(async (path) =>
        (await fetch(`${origin}/api/v1/${path}`, manager)).text()
      )
    )
    expect(keys?.match(/"demo: /g) ?? []).toHaveLength(hasTraffic ? 4 : 0)
    expect(models?.includes('"demo/atlas-mini"')).toBe(hasTraffic)
  })

  test("has interns, films and deliveries, some of which failed, only with demo traffic", async () => {
    const read = async (path: string, key = "sk-demo-management") => {
      const headers = { authorization: `Bearer ${key}` }
      const response = await fetch(`${origin}/api/v1/${path}`, { headers })
      expect(response.status).toBe(200)
      return response.text()
    }
    const readStates = async () => {
      const [interns, films, deliveries] = await Promise.all([
        read("interns", "sk-demo-member"),
        read("signalbox/videos?limit=100"),
        read("signalbox/deliveries?limit=100")
      ])
      return {
        interns: listMatches(interns, /"status":"(running|failed|stopped)"/g),
        films: listMatches(films, /"status":"(completed|failed|in_progress)"/g),
        deliveries: listMatches(
          deliveries,
          /"state":"(delivered)"|"last_attempt":\{[^}]*"status":500/g
        )
      }
    }
    await expect.poll(readStates, waitOptions).toEqual(
      hasTraffic
        ? {
            interns: ["failed", "running", "stopped"],
            films: ["completed", "failed", "in_progress"],
            // The empty one is an attempt that the receiver answered with 500.
            deliveries: ["", "delivered"]
          }
        : { interns: [], films: [], deliveries: [] }
    )
    const receiver = await fetch(`${origin}/demo/receivers/ledger`, { method: "POST" })
    expect(receiver.status).toBe(hasTraffic ? 204 : 404)
  })

  test("ends with code 0 on SIGTERM", async () => {
    example.kill("SIGTERM")
    expect(await example.exited).toBe(0)
    expect(example.printed()).not.toMatch(/Error:|^\s+at /m)
  })
})

test("demo traffic names models of the demo alone", () => {
  for (const size of [0, 0.5, 1]) {
    for (const { body } of [...firstFilms, ...makeTrafficRequests(size)])
      expect(body["model"]).toMatch(/^demo\//)
  }
})
