/** How many presets and versions there are at most, whoever saves at once, in every store. */
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { memoryStores, type StoresOption } from "@signalbox/core/stores"
import { Signalbox } from "@signalbox/node"
import { postgres, sqlite } from "@signalbox/sql"
import { describe, expect, inject, onTestFinished, test } from "vitest"
import { getProperty } from "../support/getProperty.ts"
import { parseJson } from "../support/HttpResponse.ts"

const stores: Readonly<Record<string, () => StoresOption>> = {
  memory: () => memoryStores,
  SQLite: () => sqlite({ path: join(mkdtempSync(join(tmpdir(), "signalbox-")), "a.db") }),
  Postgres: () => postgres({ url: inject("postgresUrl"), schema: `presets-${crypto.randomUUID()}` })
}

const start = async (stores: StoresOption) => {
  const instance = await Signalbox.make({
    stores,
    upstreams: [],
    models: [],
    keys: [{ key: "sk-of-a-member", kind: "member", user: "ada" }],
    settings: { maxVersionsPerPreset: 3, maxPresetsPerWorkspace: 4, maxPresetBytes: 2_000 }
  })
  onTestFinished(() => instance.close())
  const save = async (slug: string, changes: object = {}) => {
    const response = await instance.fetch(
      new Request(`http://signalbox.invalid/api/v1/presets/${slug}/chat/completions`, {
        method: "POST",
        headers: { authorization: "Bearer sk-of-a-member", "content-type": "application/json" },
        body: JSON.stringify({ messages: [{ role: "user", content: "-" }], seed: 1, ...changes })
      })
    )
    const error = getProperty(parseJson(await response.text()), "error")
    return { status: response.status, message: String(getProperty(error, "message")) }
  }
  return { instance, save }
}

const count = (answers: ReadonlyArray<{ readonly status: number }>, status: number): number =>
  answers.filter((each) => each.status === status).length

describe.each(Object.entries(stores))("in %s", (_, makeStores) => {
  test("saving at once makes no more versions and no more presets than the settings allow", async () => {
    const { instance, save } = await start(makeStores())
    const versions = await Promise.all(Array.from({ length: 12 }, () => save("same")))
    expect([count(versions, 200), count(versions, 409)]).toEqual([3, 9])
    const { data: kept } = await instance.presets.listVersions({ slug: "same" })
    expect(kept.map(({ version }) => version)).toEqual([1, 2, 3])

    const others = await Promise.all(Array.from({ length: 8 }, (_, at) => save(`other-${at}`)))
    expect([count(others, 200), count(others, 409)]).toEqual([3, 5])
    expect((await instance.presets.list({})).total_count).toBe(4)
    const messages = [versions, others].map((all) => all.find(({ status }) => status === 409))
    expect(messages).toMatchObject([
      {
        message:
          "The preset has 3 versions, which is the limit (maxVersionsPerPreset); delete it, or use another slug"
      },
      { message: expect.stringContaining("maxPresetsPerWorkspace") }
    ])
    await instance.presets.delete({ slug: "same" })
    expect((await save("same")).status).toBe(200)
  })
})

test("settings that are too large are a 400, and messages do not count", async () => {
  const { save } = await start(memoryStores)
  const said = [{ role: "user", content: "word ".repeat(1_000) }]
  expect((await save("small", { messages: said })).status).toBe(200)
  const prompt = [{ role: "system", content: "word ".repeat(1_000) }, ...said]
  const refused = await save("large", { messages: prompt })
  expect(refused).toMatchObject({ status: 400, message: expect.stringContaining("maxPresetBytes") })
})
