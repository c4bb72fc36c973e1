import * as fc from "fast-check"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { scaleRuns } from "../../vitest.scope.ts"
import { parseErrorEnvelope, parseJson } from "../support/HttpResponse.ts"
import { malformedRequests } from "./malformedRequests.ts"
import { listJsonPaths, replaceAtPath, arbitraryJson } from "../support/jsonPaths.ts"
import { getProperty } from "../support/getProperty.ts"
import { makeDecisionRequest, TestServer } from "../support/TestServer.ts"

describe("malformed requests", () => {
  let server: TestServer
  beforeAll(async () => {
    server = await TestServer.start()
  })
  afterAll(() => server[Symbol.asyncDispose]())

  test("number more than three hundred", () => {
    expect(new Set(malformedRequests.map(({ name }) => name)).size).toBe(malformedRequests.length)
    expect(malformedRequests.length).toBeGreaterThanOrEqual(300)
  })

  test.each(malformedRequests)("are rejected: $name", async ({ body, headers, path, status }) => {
    const { first } = server.upstreams
    const before = first.requests.length
    const answer = await server.ask(body, headers === undefined ? {} : { headers })
    const { message, metadata } = parseErrorEnvelope(answer)
    const named = getProperty(metadata, "path")
    expect([answer.status, message]).toEqual([
      status,
      expect.stringMatching(path.length === 0 ? /^Invalid request: / : /: /)
    ])
    expect(Array.isArray(named) ? named.slice(0, path.length) : named).toEqual(path)
    expect(message).toSatisfy((text: string) => text.startsWith(path.join(".")))
    expect(getProperty(metadata, "error_type")).toBe("invalid_request")
    expect(first.requests.length).toBe(before)

    expect((await server.ask()).status).toBe(200)
    expect(first.requests.length).toBe(before + 1)
    expect(server.logs).toEqual([])
  })

  test("are rejected or answered after random corruption of a valid request", async () => {
    const good = Buffer.from(JSON.stringify(makeDecisionRequest()))
    const damage = fc.record({
      at: fc.nat(good.length),
      lost: fc.nat(6),
      won: fc.uint8Array({ maxLength: 6 })
    })
    await fc.assert(
      fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 3 }), async (damages) => {
        const bytes = damages.reduce(
          (left, { at, lost, won }) =>
            Buffer.concat([left.subarray(0, at), won, left.subarray(at + lost)]),
          good
        )
        const { status } = await server.ask(bytes)
        const isJson = parseJson(bytes.toString()) !== undefined
        expect(isJson ? [200, 400, 404] : [400]).toContain(status)
      }),
      { numRuns: scaleRuns(300) }
    )
    expect((await server.ask()).status).toBe(200)
    expect(server.logs).toEqual([])
  })

  test("are rejected or answered with an arbitrary value at any path", async () => {
    const good = makeDecisionRequest({ session_id: "s", user: "u", trace: { trace_id: "t" } })
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...listJsonPaths(good)),
        arbitraryJson,
        async (place, value) => {
          const { status } = await server.ask(replaceAtPath(good, place, value))
          expect([200, 400, 404]).toContain(status)
        }
      ),
      { numRuns: scaleRuns(300) }
    )
    expect((await server.ask()).status).toBe(200)
    expect(server.logs).toEqual([])
  })
})
