import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { describe, expect, it } from "vitest"
import { RateLimited } from "../../../src/tenants/auth/AuthErrors.ts"
import { renderError, toErrorResponse } from "../../../src/api/errors/toErrorResponse.ts"
import { NoEndpoints } from "../../../src/routing/RoutingErrors.ts"
import { errorCases, models } from "./errorCases.ts"

/** https://platform.claude.com/docs/en/api/errors. */
const types: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  408: "timeout_error",
  409: "conflict_error",
  410: "invalid_request_error",
  413: "request_too_large",
  415: "invalid_request_error",
  416: "invalid_request_error",
  429: "rate_limit_error",
  500: "api_error",
  502: "api_error",
  503: "overloaded_error",
  504: "timeout_error",
  529: "overloaded_error"
}

const render = (error: Parameters<typeof toErrorResponse>[0], generationId?: string) =>
  HttpServerResponse.toWeb(
    renderError(toErrorResponse(error, { envelope: "messages" }), {
      requestId: "req-1",
      generationId
    })
  )

const wait = (retryAfterMillis: number) =>
  render(new RateLimited({ limit: 1, resetAt: 9, retryAfterMillis })).headers.get("retry-after")

describe("the envelope of Anthropic's API", () => {
  it.each(Object.entries(errorCases))("says what %s means", async (_, errors) => {
    for (const error of [errors].flat()) {
      const response = render(error)
      expect(await response.json()).toMatchObject({
        type: "error",
        error: { type: types[response.status], message: expect.stringMatching(/./) },
        request_id: null
      })
      expect(response.headers.get("request-id")).toBe("req-1")
    }
  })

  it("names the record of a routed request", async () => {
    const response = render(new NoEndpoints({ models, rejected: [] }), "gen-1")
    expect(await response.json()).toMatchObject({ request_id: "gen-1" })
    expect(response.headers.get("request-id")).toBe("gen-1")
  })

  it("lets no client wait for more than a minute", () => {
    expect([wait(86_400_000), wait(2_000)]).toEqual(["60", "2"])
  })
})
