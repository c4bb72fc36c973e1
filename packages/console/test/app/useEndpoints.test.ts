import { expect, test } from "vitest"
import { fromLive, shownMinutes } from "../../app/pages/now/toEndpointRows.ts"
import { addReport } from "../../app/pages/now/useEndpoints.ts"

const toEvent = (ids: ReadonlyArray<string>, rest: object = {}, requests = 0): string =>
  JSON.stringify({
    at: "2026-11-23T12:00:30.000Z",
    endpoints: ids.map((id) => ({
      endpoint_id: id,
      points: requests === 0 ? [] : [{ at: "2026-11-23T12:00:00.000Z", requests }]
    })),
    total_count: 9,
    ...rest
  })

const listIds = (state: ReturnType<typeof addReport>) => fromLive(state).map(({ id }) => id)

test("a page stays as it was where nothing has changed", () => {
  const first = addReport(undefined, toEvent(["b", "a"]))
  const second = addReport(first, toEvent(["a"], {}, 7))
  expect(listIds(second)).toEqual(["b", "a"])
  const attempts = fromLive(second)[1]?.attempts
  expect(attempts).toHaveLength(shownMinutes)
  expect(attempts?.at(-1)).toBe(7)
  expect(second.total).toBe(9)
})

test("endpoints that are not on the page any more go, and others come in order", () => {
  const first = addReport(undefined, toEvent(["b", "a"]))
  expect(listIds(addReport(first, toEvent(["c"], { order: ["c", "b"] })))).toEqual(["c", "b"])
})
