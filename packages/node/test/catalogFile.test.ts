import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, it } from "vitest"
import { catalogFile, lastGoodFile, Signalbox } from "../src/index.ts"

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "signalbox-"))
})
afterEach(() => rm(folder, { recursive: true }))

const upstreams = [{ slug: "one", name: "One" }]
const makeEndpoint = { provider: "one" }
const makeModelList = (...ids: ReadonlyArray<string>) =>
  JSON.stringify({
    data: ids.map((id) => ({ id, pricing: { prompt: "0", completion: "0" } }))
  })

it("reads the models of a file at the start and on refresh", async () => {
  const path = join(folder, "models.json")
  await writeFile(path, makeModelList("a/b"))
  const instance = await Signalbox.make({
    upstreams,
    models: catalogFile(path, { servedBy: makeEndpoint })
  })
  const before = (await instance.health()).catalog
  expect(before.source).toBe("file models.json")
  expect((await instance.health()).models).toBe(1)
  await writeFile(path, makeModelList("a/b", "a/c"))
  expect(await instance.refresh()).toBeGreaterThan(before.version)
  expect((await instance.health()).models).toBe(2)
  await instance.close()
})

it.each([
  ["is gone", undefined, "file models.json: ENOENT"],
  ["is cut off", makeModelList("a/b").slice(0, -5), "file models.json: it is not valid JSON"],
  ["is of another shape", `{"models":[]}`, "file models.json: expected a list of models"],
  ["has no valid model", `[{"id":"a/b","pricing":{"prompt":"much"}}]`, "file models.json: model"]
])("keeps the models if the file %s, and reports why", async (_, content, problem) => {
  const path = join(folder, "models.json")
  await writeFile(path, makeModelList("a/b"))
  const instance = await Signalbox.make({
    upstreams,
    models: catalogFile(path, { servedBy: makeEndpoint })
  })
  await (content === undefined ? rm(path) : writeFile(path, content))
  await expect(instance.refresh()).rejects.toThrow(problem)
  const { catalog, models } = await instance.health()
  expect(models).toBe(1)
  expect(`file models.json: ${catalog.failure?.problem}`).toContain(problem)
  await instance.close()
  // A start from the same file fails.
  await expect(
    Signalbox.make({ upstreams, models: catalogFile(path, { servedBy: makeEndpoint }) })
  ).rejects.toThrow(problem)
})

it("keeps the models and the copy if the file is suddenly empty, and starts from the copy", async () => {
  const path = join(folder, "models.json")
  const copy = join(folder, "last-good.json")
  const make = (allowEmpty: boolean) =>
    Signalbox.make({
      upstreams,
      models: catalogFile(path, { servedBy: makeEndpoint, allowEmpty }),
      lastGood: lastGoodFile(copy)
    })
  await writeFile(path, makeModelList("a/b"))
  const instance = await make(false)
  const kept = await readFile(copy, "utf8")
  for (const text of [`{"data":[]}`, "[]"]) {
    await writeFile(path, text)
    await expect(instance.refresh()).rejects.toThrow("it lists no models, and listed 1 before")
    const { catalog, models } = await instance.health()
    expect([models, catalog.failure?.problem]).toEqual([1, expect.stringContaining("allowEmpty")])
  }
  await instance.close()
  expect(await readFile(copy, "utf8")).toBe(kept)
  const again = await make(false)
  expect((await again.health()).models).toBe(1)
  await again.close()
  const emptied = await make(true)
  expect((await emptied.health()).models).toBe(0)
  await emptied.close()
})

it("serves the other models if one of the file is invalid, and reports it", async () => {
  const path = join(folder, "models.json")
  await writeFile(
    path,
    `[{"id":"a/b","pricing":{}},{"pricing":{}},{"id":"a/c","pricing":{"prompt":"5"}},{"id":"a/d","created":"now"}]`
  )
  const models = catalogFile(path, { servedBy: makeEndpoint })
  const instance = await Signalbox.make({ upstreams, models })
  const { catalog, models: count } = await instance.health()
  expect(count).toBe(1)
  expect(catalog.skipped).toEqual({
    count: 3,
    entries: [
      { model: "data[1]", problem: "data[1].id is no name" },
      { model: "a/d", problem: expect.stringContaining("created is no number") },
      // A price for a million tokens by mistake.
      { model: "a/c", problem: expect.stringContaining("divide a price for a million tokens") }
    ]
  })
  await instance.close()
})

it("reads no more of a file than settings.maxCatalogBytes", async () => {
  const path = join(folder, "models.json")
  await writeFile(path, makeModelList("a/b"))
  const models = catalogFile(path, { servedBy: makeEndpoint })
  const settings = { maxCatalogBytes: 1_024 }
  const instance = await Signalbox.make({ upstreams, models, settings })
  await writeFile(path, " ".repeat(1_025))
  await expect(instance.refresh()).rejects.toThrow("larger than 1024 bytes")
  await instance.close()
  await expect(
    Signalbox.make({ upstreams, models: catalogFile("/dev/zero"), settings })
  ).rejects.toThrow("larger than 1024 bytes")
})

it("starts from the last valid copy if the source is unavailable", async () => {
  const path = join(folder, "models.json")
  const options = {
    upstreams,
    models: catalogFile(path, { servedBy: makeEndpoint }),
    lastGood: lastGoodFile(join(folder, "kept", "last-good.json"))
  }
  await writeFile(path, makeModelList("a/b"))
  await (await Signalbox.make(options)).close()
  await rm(path)
  const instance = await Signalbox.make(options)
  const { catalog, models } = await instance.health()
  expect(models).toBe(1)
  expect(catalog.failure?.problem).toBe("ENOENT")
  await instance.close()
  // Nothing half written is left.
  expect(await readdir(join(folder, "kept"))).toEqual(["last-good.json"])
  expect(JSON.parse(await readFile(join(folder, "kept", "last-good.json"), "utf8"))).toMatchObject({
    models: [{ id: "a/b", endpoints: [{ provider: "one" }] }]
  })
})

it("replaces upstreams and models while it runs", async () => {
  const price = { prompt: "0", completion: "0" }
  const instance = await Signalbox.make({
    upstreams,
    models: [{ id: "a/b", endpoints: [{ provider: "one", price }] }]
  })
  const { version } = (await instance.health()).catalog
  await expect(instance.replace({ upstreams: [] })).rejects.toThrow(
    'values in code: model "a/b" names the provider "one", but no upstream has that slug'
  )
  expect((await instance.health()).catalog.version).toBe(version)
  expect(
    await instance.replace({
      upstreams: [{ slug: "two", name: "Two" }],
      models: [{ id: "a/c", endpoints: [{ provider: "two", price }] }]
    })
  ).toBeGreaterThan(version)
  const chatWith = (model: string) =>
    instance.explain({ model, state: "x", questions: { q: { type: "noul", instructions: "?" } } })
  await expect(chatWith("a/b")).rejects.toThrow("a/b is not a valid model ID")
  await expect(chatWith("a/c")).rejects.toThrow("a/c cannot be used with the decisions endpoint")
  await instance.close()
})
