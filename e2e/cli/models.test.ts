/** Catalogs by the command line, from running instances. */
import { join } from "node:path"
import { Signalbox } from "@signalbox/node"
import { openrouter } from "@signalbox/openrouter"
import { expect, test } from "vitest"
import { runCli } from "../../packages/cli/test/runCli.ts"
import { TemporaryFolder } from "../../packages/cli/test/temporaryFolder.ts"
import { AccountTestServer, accountKeys } from "../support/AccountTestServer.ts"

test("a catalog is imported from an instance, serves another one, and shows later changes", async () => {
  await using server = await AccountTestServer.start()
  await using folder = await TemporaryFolder.make()
  const env = { SIGNALBOX_URL: server.root, SIGNALBOX_API_KEY: accountKeys.management }
  const run = (...args: ReadonlyArray<string>) => runCli(["models", ...args], { env })

  const file = join(folder.path, "models.ts")
  const imported = await run("import", "instance", file, "--model", "proof/model", "--endpoints")
  expect([imported.code, imported.stderr]).toEqual([0, ""])
  expect(imported.stdout).toContain("Wrote 1 model with 1 endpoint")
  const { models } = await import(file)
  const upstream = openrouter({ slug: "first", name: "First", apiKey: "sk-unused" })
  const other = await Signalbox.make({ upstreams: [upstream], models })
  await other.close()

  const diff = () => run("diff", file, "--model", "proof/model", "--endpoints")
  expect(await diff()).toEqual({
    code: 0,
    stderr: "",
    stdout: "The catalogs are the same: 1 model.\n"
  })
  await server.instance.replace({
    models: [
      {
        id: "proof/model",
        endpoints: [
          {
            provider: "first",
            price: { prompt: "4e-6", completion: "3e-6" },
            contextLength: 1_000_000
          },
          { provider: "first", variant: "eu", price: { prompt: "5e-6", completion: "5e-6" } }
        ]
      }
    ]
  })
  const changed = await diff()
  expect([changed.code, changed.stderr]).toEqual([1, ""])
  expect(changed.stdout).toMatch(
    /^changed +proof\/model +endpoints\.first\.pricing\.prompt +0\.000002 +0\.000004 +\+100 %$/m
  )
  expect(changed.stdout).toMatch(/^changed +proof\/model +endpoints\.first\/eu +none +there$/m)
})

test("a length that an instance does not know stays unknown through import, serving and diff", async () => {
  const price = { prompt: "0.000001", completion: "0.000002" }
  await using server = await AccountTestServer.start()
  await using folder = await TemporaryFolder.make()
  await server.instance.replace({
    models: [
      { id: "proof/model", endpoints: [{ provider: "first", price }] },
      { id: "proof/long", endpoints: [{ provider: "first", price, contextLength: 100_000 }] }
    ]
  })
  const env = { SIGNALBOX_URL: server.root, SIGNALBOX_API_KEY: accountKeys.management }
  const run = (...args: ReadonlyArray<string>) => runCli(["models", ...args], { env })
  const upstreams = [openrouter({ slug: "first", name: "First", apiKey: "sk-unused" })]
  for (const flags of [["--served-by", "first"], ["--endpoints"]]) {
    const file = join(folder.path, `models${flags.length}.ts`)
    const imported = await run("import", "instance", file, ...flags)
    expect([imported.code, imported.stderr]).toEqual([0, ""])
    const { models } = await import(file)
    expect(models).toMatchObject([
      { id: "proof/model", endpoints: [{ provider: "first", price }] },
      { id: "proof/long", endpoints: [{ provider: "first", price, contextLength: 100_000 }] }
    ])
    expect(JSON.stringify(models)).not.toMatch(/8192|maxCompletionTokens|allowHighPrice/)
    expect(models[0].endpoints[0]).not.toHaveProperty("contextLength")
    const other = await Signalbox.make({ upstreams, models })
    const { ordered } = await other.explain({
      model: "proof/model",
      max_tokens: 16_000,
      messages: [{ role: "user", content: "hi" }]
    })
    expect(ordered).toHaveLength(1)
    await other.close()
    const diff = () => run("diff", file, ...(flags.length === 1 ? ["--endpoints"] : []))
    expect(await diff()).toMatchObject({ code: 0, stderr: "" })
    await folder.write(
      "stated.json",
      JSON.stringify([
        { ...models[0], endpoints: [{ ...models[0].endpoints[0], maxCompletionTokens: 8_192 }] },
        models[1]
      ])
    )
    const stated = await run("diff", join(folder.path, "stated.json"))
    expect(stated.stdout).toMatch(/proof\/model +max_completion_tokens +8192 +unknown/)
  }
})
