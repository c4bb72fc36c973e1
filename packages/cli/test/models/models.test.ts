/** `signalbox models` on files and scripted servers, as a child process. */
import { readFile } from "node:fs/promises"
import { createServer } from "node:http"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { runCli } from "../runCli.ts"
import { startJsonServer } from "../startJsonServer.ts"
import { TemporaryFolder } from "../temporaryFolder.ts"

const entry = (id: string, changes: Readonly<Record<string, unknown>> = {}) => ({
  id,
  name: id,
  created: 1_790_000_000,
  context_length: 32_000,
  pricing: { prompt: "0.00000010000000000000001", completion: "2e-6" },
  supported_parameters: ["tools", "temperature"],
  links: { details: "/somewhere" },
  ...changes
})

const listing = {
  data: [
    entry("acme/one"),
    entry("acme/one:free", { pricing: { prompt: "0", completion: "0" } }),
    entry("acme/number", { pricing: { prompt: 0.1, completion: "0" } }),
    entry("acme/new", { pricing: { prompt: "1e-7", completion: "2e-7", moonlight: "3" } }),
    entry("acme/one"),
    entry("other/two"),
    { name: "nobody" }
  ]
}

describe("signalbox models import", () => {
  test("writes what it takes with exact prices, and says what it does not take", async () => {
    await using folder = await TemporaryFolder.make()
    const source = await folder.write("list.json", JSON.stringify(listing))
    const file = join(folder.path, "models.json")
    const args = ["models", "import", source, file, "--exclude", "*:free", "--served-by", "mine"]
    const { code, stderr, stdout } = await runCli([...args, "--exclude", "other/*"])
    expect([code, stderr]).toEqual([0, ""])
    expect(stdout).toContain("Wrote 2 models with 2 endpoints to")
    expect(stdout).toContain("The filters left out 2 models.")
    expect(stdout).toContain("Fields that a catalog does not have: pricing.moonlight (1 model).")
    expect(stdout).toMatch(/^acme\/number +card: .*prompt/m)
    expect(stdout).toMatch(/^acme\/one +it is listed twice; the first one is taken$/m)
    expect(stdout).toMatch(/^entry 7 .*id/m)
    expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject([
      {
        id: "acme/one",
        endpoints: [
          {
            provider: "mine",
            price: { prompt: "0.00000010000000000000001", completion: "2e-6" },
            contextLength: 32_000,
            supportedParameters: ["tools", "temperature"]
          }
        ]
      },
      { id: "acme/new" }
    ])
  })

  test("prints no control characters of others", async () => {
    await using folder = await TemporaryFolder.make()
    const evil = "\u001b]0;owned\u0007\u001b[2J\u202efdp.\u009b\nforged  line"
    const entries = [entry("acme/one"), entry(`acme/${evil}`, { pricing: { prompt: 1 } })]
    const source = await folder.write(
      "list.json",
      JSON.stringify([{ ...entries[0], [evil]: { x: 1 } }, entries[1]])
    )
    const file = join(folder.path, "models.json")
    const { code, stdout } = await runCli(["models", "import", source, file])
    expect(code).toBe(0)
    // oxlint-disable-next-line no-control-regex -- the pattern matches control characters
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
    expect(stdout).toContain(String.raw`\u001b]0;owned\u0007`)
    expect(stdout).not.toMatch(/^forged/m)
    const json = await runCli(["models", "import", source, file, "--force", "--json"])
    expect(json.stdout).not.toContain("\u202e")
    expect(JSON.parse(json.stdout).left_out[0].model).toBe(`acme/${evil}`)
  })

  test("replaces a file only with --force, and reports as JSON", async () => {
    await using folder = await TemporaryFolder.make()
    const source = await folder.write("list.json", JSON.stringify(listing.data))
    const file = await folder.write("models.ts", "mine")
    const args = ["models", "import", source, file, "--model", "other/*", "--json"]
    const refused = await runCli(args)
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("with --force")])
    expect(await readFile(file, "utf8")).toBe("mine")
    const { code, stdout } = await runCli([...args, "--force"])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      file,
      models: 1,
      endpoints: 1,
      unwanted: 6,
      left_out: [],
      lost_fields: []
    })
    const { models } = await import(file)
    expect(models).toMatchObject([{ id: "other/two", endpoints: [{ provider: "openrouter" }] }])
  })

  test("reads a server page by page, with its endpoints, and sends a key only where configured", async () => {
    const all = [entry("acme/one"), entry("acme/two/x"), entry("other/none")]
    const endpoint = { pricing: { prompt: "1e-6", discount: 0.1 }, context_length: 0 }
    await using server = await startJsonServer((url) => {
      const offset = /^\/ai\/api\/v1\/models\?.*offset=(\d)/.exec(url)?.[1]
      if (offset !== undefined) {
        const data = all.slice(Number(offset), Number(offset) + 2)
        return { status: 200, body: { data, total_count: all.length } }
      }
      if (url.includes("none")) return { status: 500, body: {} }
      const endpoints = [
        { ...endpoint, tag: "alpha/eu", quantization: "fp8", max_prompt_tokens: 10 },
        { ...endpoint, tag: "alpha/eu" },
        { ...endpoint, tag: "beta", quantization: "fp7" },
        { ...endpoint, tag: "gamma" }
      ]
      return { status: 200, body: { data: { endpoints } } }
    })
    await using folder = await TemporaryFolder.make()
    const file = join(folder.path, "models.mts")
    const { code, stderr, stdout } = await runCli(
      [
        "models",
        "import",
        `${server.url}/api/v1/`,
        file,
        "--endpoints",
        "--provider",
        "alpha*",
        "--provider",
        "beta",
        "--source-key-env",
        "CATALOG_KEY"
      ],
      { env: { CATALOG_KEY: "sk-of-the-catalog", SIGNALBOX_API_KEY: "sk-of-the-instance" } }
    )
    expect([code, stderr]).toEqual([0, ""])
    expect(stdout).toMatch(/^acme\/one +alpha\/eu +it is listed twice/m)
    expect(stdout).toMatch(/^acme\/one +beta +the quantization "fp7" is unknown/m)
    expect(stdout).toMatch(/^other\/none .*answered 500/m)
    const { models } = await import(file)
    expect(models[0].endpoints).toEqual([
      {
        provider: "alpha",
        variant: "eu",
        // Its discount has been taken off already.
        price: { prompt: "1e-6" },
        maxPromptTokens: 10,
        quantization: "fp8"
      }
    ])
    expect(server.requests).toContain(
      "GET /ai/api/v1/models/acme/two%2Fx/endpoints Bearer sk-of-the-catalog"
    )
    expect(server.requests.every((request) => request.endsWith("sk-of-the-catalog"))).toBe(true)
    await runCli(["models", "import", server.url, file, "--force"], {
      env: { SIGNALBOX_API_KEY: "sk-of-the-instance", SIGNALBOX_URL: server.url }
    })
    expect(server.requests.at(-1)).toMatch(/ undefined$/)
  })

  test("says what to do about what is wrong", async () => {
    await using folder = await TemporaryFolder.make()
    const source = await folder.write("list.json", JSON.stringify(listing))
    const other = await folder.write("other.json", "{}")
    const broken = await folder.write("broken.json", "{")
    const catalog = await folder.write(
      "catalog.json",
      JSON.stringify([{ id: "a/b", endpoints: [] }])
    )
    await using server = await startJsonServer(() => ({ status: 401, body: {} }))
    const file = join(folder.path, "models.json")
    const cases: ReadonlyArray<readonly [ReadonlyArray<string>, string | RegExp]> = [
      [[source, "models.yaml"], "has none of the endings .json, .ts"],
      [[join(folder.path, "nowhere.json"), file], "ENOENT"],
      [[other, file], "has no list of models: expected"],
      [[broken, file], "is not valid"],
      [[catalog, file], "is a catalog already"],
      [[source, file, "--model", "nobody/*"], "None of the 7 models matches the filters"],
      [[source, file, "--model", "acme/number"], "No model could be taken"],
      [[source, file, "--endpoints"], "--endpoints asks a server"],
      [[source, file, "--provider", "x"], "it needs --endpoints"],
      [[server.url, file], "--source-key-env"],
      [["http://127.0.0.1:1", file], "Could not reach http://127.0.0.1:1"],
      [["http://me:secret@127.0.0.1:1", file], "Put no password into an address"],
      [["instance", file], "No instance is named"]
    ]
    const results = await Promise.all(cases.map(([args]) => runCli(["models", "import", ...args])))
    for (const [index, { code, stderr, stdout }] of results.entries()) {
      expect([code, stdout, stderr]).toEqual([1, "", expect.stringMatching(cases[index]![1])])
      expect(stderr).not.toMatch(/\n\s+at |secret/)
    }
  })

  test("does not read an answer without end", async () => {
    const piece = Buffer.alloc(2 ** 20, " ")
    const server = createServer((_, response) => {
      const write = (): void => {
        while (!response.destroyed && response.write(piece));
      }
      response.on("drain", write)
      write()
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const address = server.address()
    const port = typeof address === "object" ? address?.port : undefined
    await using folder = await TemporaryFolder.make()
    const { code, stderr } = await runCli([
      "models",
      "import",
      `http://127.0.0.1:${port}`,
      join(folder.path, "models.json")
    ])
    server.closeAllConnections()
    server.close()
    expect([code, stderr]).toEqual([1, expect.stringContaining("more than 64 MiB")])
  })
})

describe("signalbox models diff", () => {
  const before = { data: [entry("acme/one"), entry("acme/gone"), entry("acme/same")] }
  const after = {
    data: [
      entry("acme/one", {
        context_length: 64_000,
        pricing: { prompt: "0.00000015", completion: "0.000002" },
        supported_parameters: ["tools", "seed"]
      }),
      entry("acme/same"),
      entry("acme/new")
    ]
  }

  test("tells what changed, as a table, in colours and as JSON, with the exit codes of diff", async () => {
    await using folder = await TemporaryFolder.make()
    const one = await folder.write("one.json", JSON.stringify(before))
    const two = await folder.write("two.json", JSON.stringify(after))
    const { code, stderr, stdout } = await runCli(["models", "diff", one, two])
    expect([code, stderr]).toEqual([1, ""])
    expect(stdout).toMatch(/^added +acme\/new$/m)
    expect(stdout).toMatch(/^removed +acme\/gone$/m)
    expect(stdout).toMatch(/^changed +acme\/one +context_length +32000 +64000 +\+100 %$/m)
    expect(stdout).toMatch(
      /^changed +acme\/one +pricing\.prompt +0\.00000010000000000000001 +0\.00000015 +\+50 %$/m
    )
    expect(stdout).toMatch(/^changed +acme\/one +parameters\.seed +none +there$/m)
    expect(stdout).toMatch(/^1 added, 1 removed, 1 changed, 1 the same\.$/m)
    expect(stdout).not.toContain("completion")
    expect(stdout).not.toContain("\u001b")
    const colours = await runCli(["models", "diff", one, two], { env: { FORCE_COLOR: "1" } })
    expect(colours.stdout).toContain("\u001b[32madded    acme/new\u001b[0m")
    const json = await runCli(["models", "diff", one, two, "--json", "--model", "acme/?ew"])
    expect([json.code, JSON.parse(json.stdout)]).toEqual([
      1,
      {
        is_same: false,
        added: ["acme/new"],
        removed: [],
        changed: [],
        same: 0,
        not_compared: { before: [], after: [] }
      }
    ])
    const same = await runCli(["models", "diff", one, one])
    expect(same).toEqual({ code: 0, stderr: "", stdout: "The catalogs are the same: 3 models.\n" })
  })

  test("finds an imported catalog the same as its list, and compares endpoints of two catalogs", async () => {
    await using folder = await TemporaryFolder.make()
    const source = await folder.write("list.json", JSON.stringify(before))
    const file = join(folder.path, "models.ts")
    await runCli(["models", "import", source, file])
    expect((await runCli(["models", "diff", file, source])).code).toBe(0)
    const changed = await folder.write(
      "changed.ts",
      (await readFile(file, "utf8")).replace('"contextLength": 32000', '"contextLength": 33000')
    )
    expect((await runCli(["models", "diff", file, changed])).code).toBe(0)
    const { code, stdout } = await runCli(["models", "diff", file, changed, "--endpoints"])
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/endpoints\.openrouter\.context_length +32000 +33000/)
    ])
  })

  test("ends with 2 when it cannot compare", async () => {
    await using folder = await TemporaryFolder.make()
    const one = await folder.write("one.json", JSON.stringify(before))
    const bad = await folder.write(
      "bad.json",
      JSON.stringify({ data: [...before.data, entry("acme/bad", { pricing: { prompt: "x" } })] })
    )
    const skipped = await runCli(["models", "diff", one, bad])
    expect([skipped.code, skipped.stderr]).toEqual([
      2,
      expect.stringMatching(
        /Warning: acme\/bad of .*bad\.json is not compared: .*price[^]*1 model could not be compared/
      )
    ])
    const missing = await runCli(["models", "diff", one, join(folder.path, "nowhere.json")])
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining("ENOENT")])
    const list = await runCli(["models", "diff", one, one, "--endpoints"])
    expect([list.code, list.stderr]).toEqual([2, expect.stringContaining("without endpoints")])
    const keys = await runCli(["models", "diff", one, one, "--source-key-env", "KEY"])
    expect([keys.code, keys.stderr]).toEqual([
      2,
      expect.stringContaining("the key for one address")
    ])
  })
})
