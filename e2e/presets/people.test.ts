/** Presets outlive the persons who made them, without their names. */
import { sqlite } from "@signalbox/sql"
import { expect, onTestFinished, test } from "vitest"
import { AccountTestServer } from "../support/AccountTestServer.ts"
import { getProperty } from "../support/getProperty.ts"

test("an export has what a person changed, and erasing them leaves presets with a pseudonym", async () => {
  const server = await AccountTestServer.start({ stores: sqlite({ path: ":memory:" }) })
  onTestFinished(() => server[Symbol.asyncDispose]())
  const settings = { model: "proof/model", messages: [{ role: "user", content: "-" }], seed: 7 }
  const save = (key: "management" | "member") =>
    server.ask("/presets/calm/chat/completions", key, "POST", settings)
  for (const key of ["member", "member", "management"] as const) {
    expect((await save(key)).status).toBe(200)
  }
  // Read before, so that a cache has the name.
  const before = await server.ask("/presets/calm", "management")
  expect(before.text).toContain("mem-1")
  const person = { user: "mem-1" }
  const exported = await server.ask("/signalbox/people/export", "management", "POST", person)
  const { changes } = getProperty(exported.body, "data") as { changes: ReadonlyArray<unknown> }
  expect(changes.map((change) => getProperty(change, "action"))).toEqual([
    "preset.update",
    "preset.create"
  ])

  await server.ask("/signalbox/people/erase", "management", "POST", person)
  const after = await server.ask("/presets/calm", "management")
  expect(after).toMatchObject({
    status: 200,
    body: { data: { creator_user_id: expect.stringMatching(/^erased-/) } }
  })
  const versions = await server.ask("/presets/calm/versions", "management")
  expect(versions.body).toMatchObject({ data: [{ version: 1 }, { version: 2 }, { version: 3 }] })
  const log = await server.ask("/signalbox/audit", "management")
  for (const { text } of [after, versions, log]) expect(text).not.toContain("mem-1")

  const asked = {
    model: "@preset/calm",
    messages: [{ role: "user", content: "Is it calm?" }]
  } as const
  expect((await server.instance.chat(asked)).model).toBe("proof/model")
})
