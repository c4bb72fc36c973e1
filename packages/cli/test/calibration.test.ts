/** `signalbox calibration` against a scripted server, as a child process. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { runCli } from "./runCli.ts"
import { startJsonServer } from "./startJsonServer.ts"
import { TemporaryFolder } from "./temporaryFolder.ts"

const key = "sk-management-of-a-test"

const bins = [
  { from: 0.4, to: 0.6, count: 10, confidence: 0.5, accuracy: 0.4, low: 0.2, high: 0.7 },
  { from: 0.6, to: 0.8, count: 0, confidence: 0, accuracy: 0, low: 0, high: 1 },
  { from: 0.8, to: 1, count: 90, confidence: 0.95, accuracy: 0.75, low: 0.6, high: 0.9 }
]
const figures = { ece: 0.18, ece_equal_mass: 0.18, ece_by_chance: 0.02, brier: 0.2, nll: 0.6, bins }
const map = {
  model: "acme/<talker>",
  method: "logprobs",
  kind: "choice",
  question: null,
  map: "temperature",
  parameters: { temperature: 2.2 },
  fitted_at: "2026-11-23T00:00:00.000Z",
  samples: 100,
  labeled_by: [{ user: "ann", key: "ab", manager: false, samples: 80, share: 0.796 }],
  before: figures,
  after: { ...figures, ece: 0.031 },
  recent: { samples: 60, before: { ...figures, ece: 0.3 }, after: { ...figures, ece: 0.25 } }
}

describe("signalbox calibration", () => {
  test("prints a table and a diagram, and writes a page", async () => {
    await using server = await startJsonServer(() => ({
      status: 200,
      body: { data: { maps: [map] } }
    }))
    await using folder = await TemporaryFolder.make()
    const page = join(folder.path, "calibration.html")
    const { code, stderr, stdout } = await runCli(
      [
        "calibration",
        "--url",
        `${server.url}/`,
        "--key-env",
        "MY_KEY",
        "--kind",
        "choice",
        "--html",
        page
      ],
      { env: { MY_KEY: key } }
    )
    expect([code, stderr]).toEqual([0, `Wrote ${page}\n`])
    expect(server.requests).toEqual([
      `GET /ai/api/v1/signalbox/calibration?kind=choice Bearer ${key}`
    ])
    expect(stdout).toMatch(/^acme\/<talker> choice +logprobs +temperature +100 +0\.180 +0\.031/m)
    expect(stdout).toMatch(/ ann 80 % +60 +0\.300 +0\.250 +0\.020$/m)
    expect(stdout).toMatch(/^0\.80–1\.00 +90 +0\.75 +█+·+│·*$/m)
    expect(stdout).not.toMatch(/^0\.60–0\.80/m)
    const html = await readFile(page, "utf8")
    expect(html).toContain("acme/&lt;talker&gt;")
    expect(html).not.toMatch(/<talker>|<script/)
    expect(html.match(/<circle /g)).toHaveLength(4)
  })

  test("prints JSON, and says when nothing is calibrated", async () => {
    await using server = await startJsonServer((url) => ({
      status: 200,
      body: { data: { maps: url.includes("model=none") ? [] : [map, map] } }
    }))
    const env = { SIGNALBOX_API_KEY: key, SIGNALBOX_URL: server.url }
    const json = await runCli(["calibration", "--json"], { env })
    expect(JSON.parse(json.stdout)).toMatchObject({
      maps: [{ model: "acme/<talker>", recent: { samples: 60, after: { ece: 0.25 } } }, {}]
    })
    const none = await runCli(["calibration", "--model", "none"], { env })
    expect(none.stdout).toMatch(/^Nothing is calibrated yet/)
  })

  test("warns about a key in the arguments, and never prints it", async () => {
    await using server = await startJsonServer(() => ({
      status: 200,
      body: { data: { maps: [] } }
    }))
    const { code, stderr, stdout } = await runCli([
      "calibration",
      "--url",
      server.url,
      "--key",
      key
    ])
    expect(code).toBe(0)
    expect(stderr).toContain("Warning: --key shows the key to other users of this machine.")
    expect(stderr + stdout).not.toContain(key)
  })

  test.each([
    [401, "does not know the API key"],
    [403, "use a management key of the host's account"],
    [404, "is the mount part of --url"],
    [500, "answered 500: it broke"]
  ])("says what to do about status %i", async (status, advice) => {
    const body = status === 500 ? { error: { message: "it broke" } } : {}
    await using server = await startJsonServer(() => ({ status, body }))
    const { code, stderr, stdout } = await runCli(["calibration", "--url", server.url], {
      env: { SIGNALBOX_API_KEY: key }
    })
    expect([code, stdout]).toEqual([1, ""])
    expect(stderr).toContain(advice)
    expect(stderr).not.toContain(key)
  })

  test("says so when nothing listens, or the answer is another one", async () => {
    await using server = await startJsonServer(() => ({ status: 200, body: { data: [] } }))
    const env = { SIGNALBOX_API_KEY: key }
    const other = await runCli(["calibration", "--url", server.url], { env })
    expect([other.code, other.stderr]).toEqual([
      1,
      expect.stringContaining("update the command line")
    ])
    const nothing = await runCli(["calibration", "--url", "http://127.0.0.1:1"], { env })
    expect([nothing.code, nothing.stderr]).toEqual([
      1,
      expect.stringContaining("is the application running there?")
    ])
  })
})

describe("signalbox calibration label", () => {
  const label = { generation_id: "gen-dec-1", labels: { urgent: true, team: "tech", level: 2 } }

  test("uploads every line", async () => {
    await using folder = await TemporaryFolder.make()
    const bodies: Array<unknown> = []
    await using server = await startJsonServer((_, body) => {
      bodies.push(body)
      return { status: 200, body: { data: { generation_id: "gen-dec-1", labeled: 3 } } }
    })
    const weighted = { ...label, weight: 50 }
    const file = await folder.write(
      "labels.jsonl",
      `${JSON.stringify(label)}\n${JSON.stringify(weighted)}\n`
    )
    const { code, stderr, stdout } = await runCli(
      ["calibration", "label", file, "--url", server.url],
      { env: { SIGNALBOX_API_KEY: key } }
    )
    expect({ code, stderr, stdout }).toEqual({
      code: 0,
      stderr: "",
      stdout: "Labelled 2 of 2 Decisions.\n"
    })
    expect(server.requests).toEqual(
      [1, 2].map(() => `POST /ai/api/v1/signalbox/calibration/samples Bearer ${key}`)
    )
    expect(bodies).toEqual([label, weighted])
  })

  test("goes on after a line that fails, and names it", async () => {
    await using server = await startJsonServer((_, body) =>
      JSON.stringify(body).includes("gone")
        ? { status: 404, body: { error: { message: "No generation gone" } } }
        : { status: 200, body: { data: {} } }
    )
    const stdin = ["gone", "kept"]
      .map((generation_id) => JSON.stringify({ ...label, generation_id }))
      .join("\n\n")
    const { code, stderr, stdout } = await runCli(
      ["calibration", "label", "-", "--json", "--url", server.url],
      { stdin, env: { SIGNALBOX_API_KEY: key } }
    )
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toEqual({
      labeled: 1,
      failures: [{ line: 1, problem: "No generation gone" }]
    })
    expect(stderr).toContain("1 of 2 lines failed, first line 1: No generation gone")
  })

  test("counts blank lines in the number of a line that is wrong", async () => {
    await using server = await startJsonServer(() => ({ status: 404, body: {} }))
    const env = { SIGNALBOX_API_KEY: key }
    const run = (stdin: string) =>
      runCli(["calibration", "label", "-", "--url", server.url], { stdin, env })
    const line = JSON.stringify(label)
    expect((await run(`\n${line}\n\n\nno label`)).stderr).toContain("-, line 5 is no label")
    expect((await run(`\n \n${line}\n`)).stderr).toContain("1 of 1 lines failed, first line 3:")
  })

  test("sends nothing when a line is no label", async () => {
    await using server = await startJsonServer(() => ({ status: 200, body: {} }))
    const { code, stderr } = await runCli(["calibration", "label", "-", "--url", server.url], {
      stdin: `${JSON.stringify(label)}\n{"labels": {}}`,
      env: { SIGNALBOX_API_KEY: key }
    })
    expect([code, server.requests]).toEqual([1, []])
    expect(stderr).toContain("-, line 2 is no label; expected, for example:")
  })
})
