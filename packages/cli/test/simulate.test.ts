/** `signalbox simulate` on files, as a child process. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { describe, expect, test } from "vitest"
import { runCli } from "./runCli.ts"
import { TemporaryFolder } from "./temporaryFolder.ts"

/** One stream a second, in turns at `cheap` (300 ms) and `fast` (100 ms); one in `stallsEvery` stalls. */
const makeTraffic = (seconds: number, stallsEvery = Infinity): string =>
  Array.from({ length: seconds }, (_, second) => {
    const isCheap = second % 2 === 0
    const first = (second + 2) % stallsEvery === 0 ? 8_000 : isCheap ? 300 : 100
    return JSON.stringify({
      at: 1_000 * second,
      model: "a/b",
      prompt_tokens: 1_000,
      completion_tokens: 100,
      attempts: [
        {
          endpoint: isCheap ? "a/b@cheap" : "a/b@fast",
          at: 1_000 * second,
          status: 200,
          first_ms: first,
          whole_ms: first + 600
        }
      ]
    })
  }).join("\n")

const lines = makeTraffic(120)

const models = JSON.stringify([
  {
    id: "a/b",
    endpoints: [
      { provider: "cheap", price: { prompt: "0.000001", completion: "0.000002" } },
      { provider: "fast", price: { prompt: "0.000001", completion: "0.000002" } }
    ]
  }
])

describe("signalbox simulate", () => {
  test("prints a table without colours, for a recording compressed or not, and writes a page", async () => {
    await using folder = await TemporaryFolder.make()
    const plain = await folder.write("traffic.jsonl", `${lines}\n\n`)
    const compressed = await folder.write("traffic.jsonl.gz", gzipSync(lines))
    const endpoints = await folder.write("models.json", models)
    const page = join(folder.path, "report.html")
    const flags = [
      "--endpoints",
      endpoints,
      "--strategy",
      "price-weighted",
      "--strategy",
      "balanced"
    ]
    const first = await runCli(["simulate", plain, ...flags])
    expect(first.code).toBe(0)
    expect(first.stderr).toBe("")
    expect(first.stdout).toMatch(/^strategy +rank +p50 ms/)
    expect(first.stdout).toMatch(/^as recorded +100 +300 +300 +0$/m)
    expect(first.stdout).toMatch(/^balanced +\d/m)
    expect(first.stdout).not.toContain("\u001b")
    const second = await runCli(["simulate", compressed, ...flags, "--html", page])
    expect(second).toEqual({ code: 0, stdout: first.stdout, stderr: `Wrote ${page}\n` })
    expect(await readFile(page, "utf8")).toMatch(/^<!doctype html>[\s\S]*<svg /)
  })

  test("colours on demand only", async () => {
    await using folder = await TemporaryFolder.make()
    const recording = await folder.write("traffic.jsonl", lines)
    const endpoints = await folder.write("models.json", models)
    const args = ["simulate", recording, "--endpoints", endpoints, "--strategy", "balanced"]
    const forced = await runCli(args, { env: { FORCE_COLOR: "1" } })
    expect(forced.stdout).toContain("\u001b[1mstrategy")
    const refused = await runCli(args, { env: { FORCE_COLOR: "1", NO_COLOR: "1" } })
    expect(refused.stdout).not.toContain("\u001b")
  })

  test("prints JSON, the same for the same seed, also from the standard input", async () => {
    await using folder = await TemporaryFolder.make()
    const endpoints = await folder.write("models.json", models)
    const run = (seed: string) =>
      runCli(["simulate", "-", "--endpoints", endpoints, "--json", "--seed", seed], {
        stdin: lines
      })
    const [one, again, other] = await Promise.all([run("1"), run("1"), run("2")])
    expect([one.code, one.stderr]).toEqual([0, ""])
    expect(again).toEqual(one)
    expect(other.stdout).not.toEqual(one.stdout)
    expect(JSON.parse(one.stdout)).toMatchObject({
      recorded: { requests: 120, p50_ms: 100, p95_ms: 300 },
      runs: [
        { name: "price-weighted", seed: 1, window_ms: 30_000, requests: 120 },
        { name: "balanced" },
        { name: "hot-cold" },
        { name: "least-latency" }
      ]
    })
  })

  test("simulates each strategy also with second attempts on demand", async () => {
    await using folder = await TemporaryFolder.make()
    const recording = await folder.write("traffic.jsonl", makeTraffic(1_200, 40))
    const endpoints = await folder.write("models.json", models)
    const { stdout } = await runCli([
      "simulate",
      recording,
      "--endpoints",
      endpoints,
      "--strategy",
      "price-weighted",
      "--hedge",
      "--json"
    ])
    const { runs }: { runs: ReadonlyArray<{ name: string; hedges: number; p99_ms: number }> } =
      JSON.parse(stdout)
    const [plain, hedged] = runs
    expect(runs.map(({ name }) => name)).toEqual(["price-weighted", "price-weighted, hedged"])
    expect(plain?.hedges).toBe(0)
    expect(hedged?.hedges).toBeGreaterThan(0)
    expect(hedged?.p99_ms).toBeLessThan(plain?.p99_ms ?? 0)
  })

  test("takes one model with prices by the tags of its endpoints", async () => {
    await using folder = await TemporaryFolder.make()
    const recording = await folder.write(
      "traffic.jsonl",
      lines.replaceAll('"model":"a/b",', "").replaceAll("a/b@", "")
    )
    const endpoints = await folder.write(
      "endpoints.json",
      JSON.stringify({
        model: "a/b",
        endpoints: ["cheap", "fast"].map((id) => ({
          id,
          price: { prompt: "1e-6", completion: "0" }
        }))
      })
    )
    const { code, stdout } = await runCli(["simulate", recording, "--endpoints", endpoints])
    expect([code, stdout]).toEqual([0, expect.stringContaining("a/b@fast")])
  })

  test("says what to do about what is wrong, with exit code 1", async () => {
    await using folder = await TemporaryFolder.make()
    const recording = await folder.write("traffic.jsonl", lines)
    const endpoints = await folder.write("models.json", models)
    const broken = await folder.write("broken.jsonl", `${lines}\n\n{"at": 1}`)
    const empty = await folder.write("empty.jsonl", "")
    const unpriced = await folder.write("unpriced.json", `{"models": {}}`)
    const wrongPrice = await folder.write("wrong.json", models.replace("0.000001", "cheap"))
    const elsewhere = await folder.write("elsewhere.json", models.replace('"a/b"', '"c/d"'))
    const cases: ReadonlyArray<readonly [ReadonlyArray<string>, string | RegExp]> = [
      [["nowhere.jsonl", "--endpoints", endpoints], /Could not read nowhere\.jsonl: ENOENT/],
      [[broken, "--endpoints", endpoints], /broken\.jsonl, line 122: /],
      [[empty, "--endpoints", endpoints], "The recording is empty"],
      [
        [recording, "--endpoints", unpriced],
        "has no models with endpoints. Expected, for example:"
      ],
      [[recording, "--endpoints", wrongPrice], /price/],
      [[recording, "--endpoints", elsewhere], "nothing to replay"],
      [[recording], "No instance is named: pass --url https://… or set SIGNALBOX_URL"],
      [[recording, "--url", "example.com"], "--url example.com is no address"],
      [[recording, "--url", "http://localhost:1"], /\$SIGNALBOX_API_KEY holds no API key/],
      [[recording, "--endpoints", endpoints, "--strategy", "random"], /random/],
      [[recording, "--endpoints", endpoints, "--window", "-1"], "the window must be"]
    ]
    const results = await Promise.all(cases.map(([args]) => runCli(["simulate", ...args])))
    for (const [index, { code, stderr, stdout }] of results.entries()) {
      expect({ code, stdout, stderr }).toEqual({
        code: 1,
        stdout: expect.any(String),
        stderr: expect.stringMatching(cases[index]![1])
      })
      expect(stderr).not.toMatch(/\n\s+at /)
    }
  })
})
