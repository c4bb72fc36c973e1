import { assert, it } from "vitest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { renderError } from "../../../src/http/errors/renderError.ts"

it.each([
  [{ status: 404, message: "Not Found" }, { error: { code: 404, message: "Not Found" } }],
  [
    { status: 529, message: "busy", metadata: { a: [1] }, headers: { "retry-after": "3" } },
    { error: { code: 529, message: "busy", metadata: { a: [1] } } }
  ]
] as const)("%j leaves as an error envelope with its status and headers", async (refusal, body) => {
  const response = HttpServerResponse.toWeb(renderError(refusal))
  assert.strictEqual(response.status, refusal.status)
  assert.strictEqual(response.headers.get("content-type"), "application/json")
  assert.strictEqual(
    response.headers.get("retry-after"),
    "headers" in refusal ? refusal.headers["retry-after"] : null
  )
  assert.deepStrictEqual(await response.json(), body)
})
