import { describe, expect, test } from "vitest"
import { parseErrorEnvelope } from "../support/HttpResponse.ts"
import { type ErrorCase, errorCases, thrownDetail, toRequest } from "./errorCases.ts"
import { TestServer } from "../support/TestServer.ts"
import { errorStatuses } from "./errorStatuses.ts"
import { decisionMethods } from "../support/decisionMethods.ts"

const limitHeaders = [
  "retry-after",
  "x-ratelimit-limit",
  "x-ratelimit-remaining",
  "x-ratelimit-reset"
]

const toExpectedMessage = ({ message }: ErrorCase): unknown =>
  typeof message === "string" ? message : expect.stringMatching(message)

test("every error status has a test case", () => {
  const caused = new Set<number>(errorCases.map(({ status }) => status))
  expect([200, ...caused].toSorted((one, other) => one - other)).toEqual([...errorStatuses])
})

describe.each(decisionMethods)("with the method $name", (method) => {
  test.each(errorCases)("$status: $name", async (cause) => {
    const { key, prepare, server } = cause
    await using testServer = await TestServer.start({ ...server, method })
    await prepare?.(testServer)
    const answer = await testServer.ask(toRequest(cause), key === undefined ? {} : { key })
    expect(answer.status).toBe(cause.status)
    const { code, message } = parseErrorEnvelope(answer)
    expect(code).toBe(cause.status)
    expect(message).toEqual(toExpectedMessage(cause))
    expect(answer.headers["content-type"]).toMatch(/^application\/json\b/)
    expect(answer.headers).toMatchObject(
      Object.fromEntries(
        Object.entries(cause.headers ?? {}).map(([name, form]) => [
          name,
          expect.stringMatching(form)
        ])
      )
    )
    expect(limitHeaders.filter((name) => Object.hasOwn(answer.headers, name))).toEqual(
      limitHeaders.filter((name) => Object.hasOwn(cause.headers ?? {}, name))
    )
    expect(answer.text).not.toContain(thrownDetail)
    expect(testServer.logs.some((log) => log.includes(thrownDetail))).toBe(
      cause.failsInternally === true
    )
  })
})
