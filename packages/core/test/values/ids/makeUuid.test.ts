import { expect, it } from "vitest"
import { makeUuid } from "../../../src/values/ids/generateId.ts"

const uuids = Array.from({ length: 2_000 }, () => makeUuid())

it("makes UUIDs of version 4", () => {
  for (const uuid of uuids) {
    expect(uuid).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  }
})

it("makes each of them once, and every digit at every place", () => {
  expect(new Set(uuids).size).toBe(uuids.length)
  for (const place of [0, 9, 20, 35]) {
    expect(new Set(uuids.map((uuid) => uuid.charAt(place))).size).toBe(16)
  }
  expect(new Set(uuids.map((uuid) => uuid.charAt(19)))).toEqual(new Set("89ab"))
})
