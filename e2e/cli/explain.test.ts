/** Plans by the command line, from a running instance. */
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, test } from "vitest"
import { runCli } from "../../packages/cli/test/runCli.ts"
import { TemporaryFolder } from "../../packages/cli/test/temporaryFolder.ts"
import {
  AccountTestServer,
  accountKeys,
  makeDecisionRequest
} from "../support/AccountTestServer.ts"

const endpoint = { provider: "first", contextLength: 1_000_000 }
const price = { prompt: "0.000002", completion: "0.000003" }

const startServer = async (): Promise<AccountTestServer> => {
  const server = await AccountTestServer.start()
  await server.instance.replace({
    models: [
      {
        id: "proof/model",
        endpoints: [
          { ...endpoint, price },
          { ...endpoint, variant: "dear", price: { prompt: "0.002", completion: "0.003" } },
          { ...endpoint, variant: "unknown", price: {} },
          { ...endpoint, variant: "safe", price, data: { retains: false, collects: false } }
        ]
      }
    ]
  })
  return server
}

const chat = { model: "proof/model", messages: [{ role: "user", content: "Is it calm at sea?" }] }

const runExplain = (
  server: AccountTestServer,
  args: ReadonlyArray<string>,
  key: string = accountKeys.management
) => runCli(["explain", ...args, "--url", server.root], { env: { SIGNALBOX_API_KEY: key } })

test("the endpoints of a request are listed in order, with prices, reasons and what to relax", async () => {
  await using server = await startServer()
  await using folder = await TemporaryFolder.make()
  const request = await folder.write(
    "request.json",
    JSON.stringify({
      ...chat,
      max_tokens: 100,
      provider: { sort: "price", ignore: ["first/safe"] }
    })
  )
  const { code, stderr, stdout } = await runExplain(server, [request])
  expect([code, stderr]).toEqual([0, ""])
  expect(stdout).toMatch(/^proof\/model, ordered by sort:price$/m)
  expect(stdout).toMatch(/^1 +proof\/model@first +First +0\.000\d+$/m)
  expect(stdout).toMatch(/^2 +proof\/model@first\/dear +First +0\.\d+$/m)
  expect(stdout).toMatch(/^3 +proof\/model@first\/unknown +First +unknown$/m)
  expect(stdout).toMatch(
    /^proof\/model@first\/safe +ignore +request +none of first\/safe +first\/safe$/m
  )
  const none = await folder.write(
    "none.json",
    JSON.stringify({ ...makeDecisionRequest(), provider: { only: ["nobody"] } })
  )
  const refused = await runExplain(server, [none])
  expect([refused.code, refused.stdout]).toEqual([
    0,
    expect.stringMatching(
      /No endpoint may serve the request\.[^]*An endpoint would be left without only of the request/
    )
  ])
  expect(server.calls).toHaveLength(0)
})

test("a saved plan is repeated", async () => {
  await using server = await startServer()
  await using folder = await TemporaryFolder.make()
  const request = await folder.write("request.json", JSON.stringify(chat))
  const first = await runExplain(server, [request, "--json"])
  const saved = await folder.write("plan.json", first.stdout)
  for (let repetition = 0; repetition < 3; repetition++) {
    const again = await runExplain(server, [request, "--json", "--replay", saved])
    expect(JSON.parse(again.stdout)).toEqual(JSON.parse(first.stdout))
  }
})

test("a saved plan is repeated without the instance, by a configuration that differs", async () => {
  await using server = await startServer()
  await using folder = await TemporaryFolder.make()
  const request = await folder.write("request.json", JSON.stringify(chat))
  const plan = await runExplain(server, [request, "--json"])
  const saved = await folder.write("plan.json", plan.stdout)
  const write = (providers: ReadonlyArray<string>) =>
    folder.write(
      `${providers.join("-")}.config.mjs`,
      `const chat = { complete() {}, stream() {}, estimateWorstCase() {} }
export default {
  upstreams: [{ slug: "first", name: "First", chat }],
  models: [{ id: "proof/model", endpoints: ${JSON.stringify(
    providers.map((variant) => ({ ...endpoint, variant, price }))
  )} }]
}`
    )
  const explainLocally = async (providers: ReadonlyArray<string>, ...args: ReadonlyArray<string>) =>
    runCli(["explain", request, "--config", await write(providers), ...args])
  const { code, stderr, stdout } = await explainLocally(
    ["safe", "dear"],
    "--replay",
    saved,
    "--json"
  )
  expect([code, stderr]).toEqual([0, ""])
  const { health, seed }: { readonly health: unknown; readonly seed: number } = JSON.parse(
    plan.stdout
  )
  expect(JSON.parse(stdout)).toMatchObject({
    seed,
    health,
    ordered: expect.arrayContaining([
      expect.objectContaining({ endpoint: "proof/model@first/safe" }),
      expect.objectContaining({ endpoint: "proof/model@first/dear" })
    ])
  })
  const broken = await folder.write("broken.json", JSON.stringify({ seed: "x", health: {} }))
  const refused = await explainLocally(["safe"], "--replay", broken)
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining("broken.json:1:9: seed: ")
  ])
  const unknown = await runCli(["explain", request, "--config", join(folder.path, "none.mjs")])
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining("check --config")])
})

test("mistakes of a file are reported with their place", async () => {
  await using server = await startServer()
  await using folder = await TemporaryFolder.make()
  const write = (name: string, text: string) => folder.write(name, text)
  const valid = await write("valid.json", JSON.stringify(chat))
  const cases: ReadonlyArray<readonly [ReadonlyArray<string>, string, string?]> = [
    [
      [await write("broken.json", '{\n  "model": "proof/model",\n}')],
      "broken.json:3:1: this is no JSON"
    ],
    [[await write("list.json", "[]")], "list.json:1:1: a request is an object"],
    [
      [
        await write(
          "sort.json",
          '{\n  "model": "proof/model",\n  "messages": [{ "role": "user", "content": "" }],\n  "provider": { "sort": "speed" }\n}'
        )
      ],
      "sort.json:4:25: provider.sort"
    ],
    [[await write("other.json", '{"model": "proof/model"}')], "other.json:1:1: must be a Decision"],
    [[await write("model.json", JSON.stringify({ ...chat, model: "no/body" }))], "no/body"],
    [[valid, "--replay", valid], "valid.json:1:1: this is no explanation"],
    [[valid, "--workspace", "nowhere"], "workspace"],
    [[join(folder.path, "nothing.json")], "ENOENT"],
    [[valid], "use a management key", accountKeys.member]
  ]
  for (const [args, problem, key] of cases) {
    const { code, stderr, stdout } = await runExplain(server, args, key)
    expect([args, code, stdout, stderr]).toEqual([args, 1, "", expect.stringContaining(problem)])
  }
  await writeFile(valid, `\uFEFF${JSON.stringify(chat)}`)
  expect((await runExplain(server, [valid])).code).toBe(0)
})
