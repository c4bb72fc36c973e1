import { describe, expect, test } from "vitest"
import { errorIn } from "./Answer.ts"
import { type Cause, causes, insideOfPlug, requestOf } from "./causes.ts"
import { Stage } from "./Stage.ts"
import { statuses } from "./statuses.ts"
import { ways } from "./ways.ts"

const telling = ["retry-after", "x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"]

const formOf = ({ message }: Cause): unknown =>
  typeof message === "string" ? message : expect.stringMatching(message)

test("every error status of the specification has a cause", () => {
  const caused = new Set<number>(causes.map(({ status }) => status))
  expect([200, ...caused].toSorted((one, other) => one - other)).toEqual([...statuses])
})

describe.each(ways)("asked by $name", (way) => {
  test.each(causes)("$status: $name", async (cause) => {
    const { key, prepare, scene } = cause
    await using stage = await Stage.open({ ...scene, way })
    await prepare?.(stage)
    const answer = await stage.ask(requestOf(cause), key === undefined ? {} : { key })
    expect(answer.status).toBe(cause.status)
    const { code, message } = errorIn(answer)
    expect(code).toBe(cause.status)
    expect(message).toEqual(formOf(cause))
    expect(answer.headers["content-type"]).toMatch(/^application\/json\b/)
    expect(answer.headers).toMatchObject(
      Object.fromEntries(
        Object.entries(cause.headers ?? {}).map(([name, form]) => [
          name,
          expect.stringMatching(form)
        ])
      )
    )
    expect(telling.filter((name) => Object.hasOwn(answer.headers, name))).toEqual(
      telling.filter((name) => Object.hasOwn(cause.headers ?? {}, name))
    )
    expect(answer.text).not.toContain(insideOfPlug)
    expect(stage.logs.some((log) => log.includes(insideOfPlug))).toBe(cause.breaks === true)
  })
})
