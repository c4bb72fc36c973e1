/** Unknown parameters of a query are told, or refused by a strict request; impossible values are a 400. */
import { operations } from "@signalbox/core/adapter"
import { expect, test } from "vitest"
import { send } from "../support/send.ts"
import { keys, TestServer } from "../support/TestServer.ts"

const get = ({ root }: { readonly root: string }, path: string, strict?: string) =>
  send(`${root}${path}`, {
    method: "GET",
    headers: {
      authorization: `Bearer ${keys.management}`,
      ...(strict === undefined ? undefined : { "x-signalbox-strict": strict })
    }
  })

/** Answered before anything of a request is looked at, or without an end. */
const fixed = /\/(?:docs|openapi\.json|live|ready|events)$/

test("every GET names an unknown parameter of its query, and a strict one is refused", async () => {
  await using server = await TestServer.start()
  const silent = []
  for (const { method, path } of operations) {
    if (method !== "GET" || fixed.test(path)) continue
    const place = path.replaceAll(/:\w+/g, "00000000-0000-4000-8000-000000000000")
    const told = await get(server, `${place}?limti=5&tag%5Bx%5D=1`)
    // Others are refused before their input is read.
    if (told.status !== 200 && told.status !== 404) continue
    if (told.headers["x-signalbox-ignored"] !== "limti, tag%5Bx%5D") silent.push(path)
    const strict = await get(server, `${place}?limti=5`, "true")
    if (strict.status !== 400 || !strict.text.includes("limti")) silent.push(`${path}, strict`)
    const plain = await get(server, place, "true")
    if (plain.status === 400 && plain.text.includes("would have no effect")) silent.push(path)
  }
  expect(silent).toEqual([])
})

test.each([
  "/api/v1/activity?date=2026-02-31",
  "/api/v1/signalbox/series?from=2026-02-31",
  "/api/v1/signalbox/series?from=2026-02-30T00:00:00Z",
  "/api/v1/signalbox/generations?tag=customer:a%00b",
  "/api/v1/signalbox/generations?tag=customer:a%0Ab",
  "/api/v1/signalbox/generations?model=a%00b",
  "/api/v1/keys?workspace_id=%00"
])("%s is a 400", async (path) => {
  await using server = await TestServer.start()
  expect((await get(server, path)).status).toBe(400)
})
