import { assert, it } from "vitest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { renderError } from "../../../src/api/errors/toErrorResponse.ts"

it.each([
  [{ status: 404, message: "Not Found" }, { error: { code: 404, message: "Not Found" } }],
  [
    { status: 529, message: "busy", metadata: { a: [1] }, headers: { "retry-after": "3" } },
    { error: { code: 529, message: "busy", metadata: { a: [1] } } }
  ]
] as const)("%j renders as an error envelope with its status and headers", async (error, body) => {
  const response = HttpServerResponse.toWeb(renderError(error))
  assert.strictEqual(response.status, error.status)
  assert.strictEqual(response.headers.get("content-type"), "application/json")
  assert.strictEqual(
    response.headers.get("retry-after"),
    "headers" in error ? error.headers["retry-after"] : null
  )
  assert.deepStrictEqual(await response.json(), body)
})
