import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { assert, describe, it } from "vitest"
import { flattenExtra } from "../../../../src/domains/chat/request/parseChatRequest.ts"

const made = (request: unknown) => Effect.runSync(Effect.result(flattenExtra(request)))

describe("provider-specific parameters", () => {
  it("become top-level fields of the HTTP API", () => {
    const request = { model: "a/b", messages: [], extra: { top_sigma: 1, best: null } }
    const expected = { model: "a/b", messages: [], top_sigma: 1, best: null }
    assert.deepStrictEqual(Result.getOrThrow(made(request)), expected)
  })

  it("may have any name", () => {
    const request = { messages: [], extra: JSON.parse('{"__proto__": 1}') as unknown }
    assert.isTrue(Object.hasOwn(Object(Result.getOrThrow(made(request))), "__proto__"))
  })

  it.each([
    [{ temperature: 1, extra: { temperature: 2 } }, ["extra", "temperature"]],
    [{ extra: { model: "a/c" } }, ["extra", "model"]],
    [{ extra: { stream: true } }, ["extra", "stream"]],
    [{ extra: [1] }, ["extra"]],
    [{ extra: "x" }, ["extra"]]
  ])("rejects a parameter that is set twice: %j", (request, path) => {
    const result = made(request)
    assert.isTrue(Result.isFailure(result))
    assert.deepStrictEqual(Result.isFailure(result) ? result.failure.path : [], path)
  })

  it("leaves a request without extra unchanged", () => {
    for (const request of [undefined, null, "x", { messages: [] }]) {
      assert.deepStrictEqual(Result.getOrThrow(made(request)), request)
    }
  })
})
