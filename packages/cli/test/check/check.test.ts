/** `signalbox check` as a child process. */
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { runCli } from "../runCli.ts"
import { TemporaryFolder } from "../temporaryFolder.ts"

const upstreams = `["alpha", "beta"].map((slug) => ({ slug, name: slug, chat: {} }))`

const checkConfig = async (source: string, ...args: ReadonlyArray<string>) => {
  await using folder = await TemporaryFolder.make()
  const path = await folder.write("signalbox.config.mjs", `export default ${source}\n`)
  return await runCli(["check", "--config", path, ...args])
}

describe("signalbox check", () => {
  test("finds every mistake of a configuration at once", async () => {
    const { code, stderr, stdout } = await checkConfig(`{
  upstreams: [...${upstreams}, { slug: "alpha", name: "Again" }],
  models: [
    {
      id: "acme/one",
      created: -1,
      endpoints: [
        { provider: "alhpa", price: { prompt: "cheap" } },
        { provider: "alpha", price: {}, zrd: true }
      ]
    },
    { id: "acme/two", endpoints: [{ provider: "beta", price: {} }] },
    { id: "acme/two", endpoints: [{ provider: "beta", price: {} }] }
  ],
  overlay: { "acme/two": { colour: "red" } },
  keys: [{ key: "sk-secret-of-a-boss", kind: "boss" }, { key: "", kind: "management" }, { key: "sk-fine", kind: "management", workspace: "lab" }],
  credentials: [{ provider: "beta", key: "sk-secret-of-beta" }],
  settings: { maxAttempts: -1, maxAtempts: 3 },
  credits: { default: "x" },
  experiments: [{ match: { model: "acme/two" }, to: "acme/two", mode: "canary", share: 7 }],
  strategie: 1,
  server: { port: 70000, hots: "x" }
}`)
    expect([code, stderr]).toEqual([1, ""])
    const lines = stdout
      .split("\n")
      .map((line) => line.replace(/^(\w+) \S*config\.mjs(:\d+)?: /, "$1$2 "))
    for (const expected of [
      "mistake:18 settings.maxAtempts is no setting; did you mean maxAttempts?",
      "mistake:18 settings.maxAttempts must be",
      "mistake:21 strategie is no option; did you mean strategy?",
      "mistake:22 server.port must be",
      "mistake:22 server.hots: ",
      "mistake:2 upstreams.2: two upstreams are called",
      'mistake:3 models.0.endpoints.0.provider: the model names the provider "alhpa", but no upstream has that slug; did you mean "alpha"?',
      "mistake:3 models.0.endpoints.0.price.prompt: ",
      "mistake:3 models.0.endpoints.1.zrd: zrd is no field of an endpoint; did you mean zdr?",
      "mistake:3 models.0.created: ",
      "mistake:3 models.2.id: two models are called",
      "mistake:15 overlay.acme/two: ",
      "mistake:16 keys.0: ",
      "mistake:16 keys.1: ",
      "mistake:17 credentials",
      "mistake:19 credits.default: ",
      "mistake:20 experiments.0: "
    ]) {
      expect(lines).toContainEqual(expect.stringContaining(expected))
    }
    expect(lines).toContain("17 mistakes, 0 warnings.")
    expect(stdout).not.toContain("sk-secret")
  })

  test("passed bundles and alerts with which no instance starts", async () => {
    const { code, stdout } = await checkConfig(`{
  upstreams: ${upstreams},
  models: [{ id: "acme/small", endpoints: [{ provider: "alpha", contextLength: 1, price: { prompt: "0", completion: "0" } }] }],
  bundles: {
    fine: { models: ["acme/small"] },
    models: { models: ["acme/smal"] },
    rate: { rateLimit: { requests: 3, windowMs: 5 } },
    budget: { budget: { daily: 5, monthly: 2 } }
  },
  alerts: { thresholds: [{ percents: 50 }] }
}`)
    expect(code).toBe(1)
    const mistakes = stdout
      .split("\n")
      .map((line) => line.replace(/^mistake \S*config\.mjs:\d+: /, ""))
    expect(mistakes).toEqual([
      "alerts: thresholds.0.percents: expected no excess property",
      "bundles.models.models.0: acme/smal is no model of this catalog; did you mean acme/small?",
      "bundles.rate: rateLimit.windowMs: expected no excess property",
      "bundles.budget.budget.daily must be less than that of a longer interval",
      "",
      "4 mistakes, 0 warnings.",
      ""
    ])
  })

  test("warns of what is probably not meant, with exit code 0", async () => {
    const { code, stderr, stdout } = await checkConfig(
      `{
  upstreams: ${upstreams},
  models: [
    { id: "acme/one", endpoints: [{ provider: "beta", price: {} }] },
    { id: "acme/listed", endpoints: [], card: { pricing: {} } }
  ],
  overlay: { "acme/none": { created: 1 } },
  accounts: [{ id: "shut", only: ["alpha"] }, { id: "open" }],
  strategy: { name: "mine", first: () => 0 },
  hedging: {},
  workspaceDefaults: { defaultTextModel: "acme/gone" },
  experiments: [{ match: { model: "acme/gone" }, to: "acme/one", mode: "canary", share: 0.5 }]
}`,
      "--json"
    )
    expect([code, stderr]).toEqual([0, ""])
    const report: {
      readonly mistakes: ReadonlyArray<unknown>
      readonly warnings: ReadonlyArray<{
        readonly path: ReadonlyArray<unknown>
        readonly problem: string
      }>
    } = JSON.parse(stdout)
    expect(report.mistakes).toEqual([])
    expect(report.warnings.map(({ path, problem }) => [path.join("."), problem])).toEqual([
      ["models.0", expect.stringContaining("states no contextLength")],
      ["models.0.endpoints.0.price", expect.stringContaining("is unknown")],
      ["models.1", expect.stringContaining("only listed")],
      ["overlay.acme/none", expect.stringContaining("no such model")],
      ["workspaceDefaults.defaultTextModel", 'there is no model "acme/gone"'],
      ["experiments.0.match.model", expect.stringContaining("acme/gone")],
      ["strategy", expect.stringContaining("mine never chooses")],
      ["hedging", expect.stringContaining("no request is hedged")],
      ["upstreams", "no endpoint is at alpha"],
      ["accounts.0", expect.stringContaining("exclude every endpoint")]
    ])
  })

  test("once warned that every request is rejected, where serve makes the first key", async () => {
    const fine = `upstreams: ${upstreams}, models: [{ id: "acme/one", endpoints: ["alpha", "beta"].map((provider) => ({ provider, contextLength: 1, price: { prompt: "1e-6", completion: "1e-6" } })) }]`
    const ofServe = await checkConfig(`{ ${fine} }`)
    expect([ofServe.code, ofServe.stdout]).toEqual([0, "No mistakes, no warnings.\n"])
    const stores = `(await import(${JSON.stringify(import.meta.resolve("effect/Layer"))})).empty`
    const ofItsOwn = await checkConfig(`{ ${fine}, stores: ${stores} }`)
    expect([ofItsOwn.code, ofItsOwn.stdout]).toEqual([
      0,
      expect.stringContaining("stores: there are neither keys nor authenticate")
    ])
  })

  test("finds nothing in a configuration that is fine, and opens no storage", async () => {
    const { code, stderr, stdout } = await checkConfig(
      `{
  upstreams: ${upstreams},
  models: { name: "a list", load: (await import("effect/Effect")).succeed([
    { id: "acme/one", endpoints: ["alpha", "beta"].map((provider) => ({ provider, contextLength: 1, price: { prompt: "1e-6", completion: "1e-6" } })) }
  ]) },
  keys: [{ key: "sk-fine", kind: "management", workspace: "lab" }],
  stores: (await import("effect/Effect")).die("the storage was opened"),
  log: true
}`.replaceAll(
        'import("effect/Effect")',
        `import(${JSON.stringify(import.meta.resolve("effect/Effect"))})`
      )
    )
    expect({ code, stderr, stdout }).toEqual({
      code: 0,
      stderr: "",
      stdout: "No mistakes, no warnings.\n"
    })
  })

  test("says once how old the included prices are, and names models that they lack", async () => {
    const { code, stdout } = await checkConfig(`{
  upstreams: [{ slug: "openai", name: "OpenAI", chat: {}, listedAs: "openai", authors: ["openai"] }],
  models: [
    { id: "openai/gpt-5*", endpoints: [{ provider: "openai" }] },
    { id: "openai/gpt-unheard-of", endpoints: [{ provider: "openai", contextLength: 5 }] }
  ],
  keys: [{ key: "sk-fine", kind: "management" }]
}`)
    expect(code).toBe(0)
    expect(stdout.match(/of models\.dev as of 20\d\d-\d\d-\d\d, \d+ days? ago/g)?.length).toBe(1)
    expect(stdout).toMatch(
      /a price of openai\/gpt-unheard-of@openai is unknown.*: models\.dev has no "gpt-unheard-of" of openai/
    )
    expect(stdout.match(/is unknown/g)?.length).toBe(1)
  })

  test("finds wildcards that stand for nothing", async () => {
    const { code, stdout } = await checkConfig(`{
  upstreams: ${upstreams},
  models: [{ id: "acme/*", endpoints: [{ provider: "alpha" }] }]
}`)
    expect(code).toBe(1)
    expect(stdout).toContain('the models of the provider "alpha" are not known')
  })

  test("tells the line and the column in catalogs of JSON", async () => {
    await using folder = await TemporaryFolder.make()
    const catalog = await folder.write(
      "models.json",
      `{ "models": [
  { "id": "acme/one", "created": -1,
    "endpoints": [{ "provider": "x", "price": { "prompt": "cheap" } }] }
] }`
    )
    const list = await folder.write(
      "list.json",
      `{ "data": [
  { "id": "acme/one", "pricing": { "prompt": "1e-6", "completion": "0" } },
  { "id": "acme/two", "pricing": { "prompt": 7 }, "created": "now" }
] }`
    )
    const { code, stdout } = await runCli(["check", catalog, list])
    expect(code).toBe(1)
    for (const expected of [
      `mistake ${catalog}:2:34: models.0.created: `,
      `mistake ${catalog}:3:59: models.0.endpoints.0.price.prompt: `,
      `mistake ${list}:3:34: data.1.pricing: `,
      `mistake ${list}:3:62: data.1.created: `
    ]) {
      expect(stdout).toContain(expected)
    }
    expect(stdout).toContain("4 mistakes, 0 warnings.")
  })

  test("says what to do about files that cannot be read", async () => {
    await using folder = await TemporaryFolder.make()
    const broken = await folder.write("broken.json", '[{\n  "id" 1}]')
    const thrown = await folder.write(
      "thrown.config.mjs",
      '\nthrow new RangeError("no key is set")'
    )
    const cases: ReadonlyArray<readonly [ReadonlyArray<string>, string]> = [
      [[broken], "broken.json:2:8: this is no JSON"],
      [[join(folder.path, "nowhere.json")], "ENOENT"],
      [["--config", join(folder.path, "nowhere.ts")], "check --config"],
      [["--config", thrown], "thrown.config.mjs:2: no key is set"]
    ]
    for (const [args, problem] of cases) {
      const { code, stderr, stdout } = await runCli(["check", ...args])
      expect([code, stdout, stderr]).toEqual([1, "", expect.stringContaining(problem)])
    }
    const unavailable = await checkConfig(
      `{ upstreams: [], models: { name: "far away", load: (await import(${JSON.stringify(import.meta.resolve("effect/Effect"))})).fail({ _tag: "CatalogUnavailable", source: "far away", problem: "nobody answers" }) } }`
    )
    expect([unavailable.code, unavailable.stdout]).toEqual([
      1,
      expect.stringContaining("models: far away is not available: nobody answers")
    ])
  })
})
