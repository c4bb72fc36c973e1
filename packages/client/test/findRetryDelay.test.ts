import { describe, expect, it } from "vitest"
import { ConnectionError, ResponseError, TimeoutError } from "../src/ClientError.ts"
import { findRetryDelay, parseRetryAfter } from "../src/findRetryDelay.ts"

const call = { operation: "GET /x", requestId: undefined, generationId: undefined }
const fail = (status: number, retryAfterMillis?: number, retryable?: boolean) =>
  new ResponseError(
    status,
    { message: "", code: status, metadata: {}, ...(retryable === undefined ? {} : { retryable }) },
    { ...call, retryAfterMillis }
  )
const half = () => 0.5

describe("findRetryDelay", () => {
  it("repeats what cannot have had an effect, and the rest only if it is repeatable", () => {
    const repeated = (isRepeatable: boolean) =>
      [400, 401, 404, 408, 409, 429, 500, 502, 503, 504, 524, 529].filter(
        (status) => findRetryDelay(fail(status), 0, isRepeatable, half) !== undefined
      )
    expect(repeated(false)).toEqual([429, 503])
    expect(repeated(true)).toEqual([408, 429, 500, 502, 503, 504, 524, 529])
    const lost = new ConnectionError("ECONNRESET", call)
    expect(findRetryDelay(lost, 0, false, half)).toBeUndefined()
    expect(findRetryDelay(lost, 0, true, half)).toBe(250)
    expect(findRetryDelay(new TimeoutError(1, call), 0, true, half)).toBeUndefined()
  })

  it("waits longer with each attempt, as long as the server asks, and not for more than a minute", () => {
    const delays = [0, 1, 2, 3, 4, 5].map((attempt) =>
      findRetryDelay(fail(503), attempt, true, half)
    )
    expect(delays).toEqual([250, 500, 1_000, 2_000, 4_000, 4_000])
    expect(findRetryDelay(fail(429, 3_000), 0, false, half)).toBe(3_000)
    expect(findRetryDelay(fail(429, 60_001), 0, false, half)).toBeUndefined()
  })

  it("believes a server that says it is no use", () => {
    expect(findRetryDelay(fail(503, undefined, false), 0, true, half)).toBeUndefined()
  })
})

describe("parseRetryAfter", () => {
  it.each([
    [null, undefined],
    ["2", 2_000],
    ["Thu, 01 Jan 1970 00:00:03 GMT", 2_000],
    ["Thu, 01 Jan 1970 00:00:00 GMT", 0],
    ["soon", undefined]
  ])("reads %s", (header, expected) => {
    expect(parseRetryAfter(header, () => 1_000)).toBe(expected)
  })
})
