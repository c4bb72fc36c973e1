/** Records and figures by the preset that requests name. */
import { expect, onTestFinished, test } from "vitest"
import { AccountTestServer } from "../support/AccountTestServer.ts"
import { getProperty } from "../support/getProperty.ts"

const messages = [{ role: "user", content: "Is it calm?" }]

/** Three requests: two with the preset `calm`, one without. Also a preset that no request names. */
const start = async () => {
  const server = await AccountTestServer.start()
  onTestFinished(() => server[Symbol.asyncDispose]())
  const post = (path: string, body: object) => server.ask(path, "member", "POST", body)
  for (const slug of ["calm", "unused"]) {
    await post(`/presets/${slug}/chat/completions`, { model: "proof/model", messages })
  }
  const ids: Array<string> = []
  for (const model of ["@preset/calm", "proof/model@preset/calm", "proof/model"]) {
    const { headers, status } = await post("/chat/completions", { model, messages })
    expect(status).toBe(200)
    ids.push(headers["x-generation-id"] ?? "none")
  }
  const preset = async (slug: string) => {
    const { body } = await server.ask(`/presets/${slug}`, "member")
    return String(getProperty(getProperty(body, "data"), "id"))
  }
  const read = async (path: string, key: "foreign" | "management" = "management") =>
    getProperty((await server.ask(path, key)).body, "data")
  return { server, ids, preset, read }
}

test("records are found by their preset, in their account", async () => {
  const { ids, preset, read } = await start()
  const list = async (id: string, key?: "foreign") => {
    const found = await read(`/signalbox/generations?preset_id=${encodeURIComponent(id)}`, key)
    return Array.from(found as Iterable<unknown>, (row) => getProperty(row, "id"))
  }
  const calm = await preset("calm")
  expect(await list(calm)).toEqual([ids[1], ids[0]])
  expect(await list(await preset("unused"))).toEqual([])
  expect(await list("none")).toEqual([])
  expect(await list(calm, "foreign")).toEqual([])
})

test("series, exports and analytics have what a preset costs, and its feedback", async () => {
  const { ids, preset, read, server } = await start()
  const calm = await preset("calm")
  const feedback = { generation_id: ids[0], category: "formatting" }
  await server.ask("/generation/feedback", "management", "POST", feedback)
  const expected = { requests: 2, tokens_prompt: 20, cost: 0.000052 }
  for (const query of ["", `&value=${encodeURIComponent(calm)}`]) {
    const figures = await read(`/signalbox/series?group_by=preset${query}`)
    expect(getProperty(figures, "series")).toMatchObject([
      { value: calm, is_other: false, totals: expected, feedback: { formatting: 1 } }
    ])
  }
  const csv = await server.ask("/signalbox/spend.csv?group_by=preset", "management")
  expect(csv.text).toContain(`,${calm},false,2,0,20,4,0,0.000052,`)
  const { body } = await server.ask("/analytics/query", "management", "POST", {
    metrics: ["request_count", "credits_usage"],
    dimensions: ["preset"],
    filters: [{ field: "preset", operator: "neq", value: "another" }]
  })
  expect(JSON.stringify(body)).toContain(
    JSON.stringify({ preset: calm, request_count: 2, credits_usage: 0.000052 })
  )
})
