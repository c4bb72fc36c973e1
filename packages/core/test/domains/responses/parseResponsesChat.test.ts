import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { isResponsesRequest } from "../../../src/domains/responses/isResponsesRequest.ts"
import { parseResponsesChat } from "../../../src/domains/responses/parseResponsesChat.ts"
import * as Settings from "../../../src/instance/Settings.ts"

const parse = (request: object, session?: string) => {
  const text = JSON.stringify(request)
  return parseResponsesChat(text, {
    bytes: Buffer.byteLength(text),
    settings: Settings.defaults,
    session
  })
}

const getChat = (request: object, session?: string) =>
  Result.getOrThrow(parse(request, session)).parsed

const getPath = (request: object) => {
  const failure = Result.getOrThrow(Result.flip(parse(request)))
  assert.strictEqual(failure._tag, "InvalidRequest")
  return failure._tag === "InvalidRequest" ? failure.path : undefined
}

describe("parseResponsesChat", () => {
  it("keeps the request as it was written, apart from the fields of the router", () => {
    const written = {
      input: "Hm?",
      tools: [{ type: "web_search" }],
      metadata: { a: "b" },
      seed: 7,
      ["__proto__x"]: 1
    }
    const { native } = getChat({
      ...written,
      model: "a/b",
      stream: true,
      provider: { sort: "price" },
      trace: { trace_id: "t" },
      user: "ada",
      client_metadata: {}
    })
    // Other providers run no search, and the response reports it.
    assert.deepStrictEqual(native, { dialect: "responses", body: written, fields: ["tools.0"] })
  })

  it("groups requests by the key of their cached prompt, unless a session is named", () => {
    const request = { model: "a/b", input: "Hm?", prompt_cache_key: "tower" }
    assert.strictEqual(getChat(request).request.session_id, "tower")
    assert.strictEqual(getChat(request, "header").request.session_id, "header")
    assert.strictEqual(getChat({ ...request, session_id: "body" }).request.session_id, "body")
    const long = { ...request, prompt_cache_key: "x".repeat(257) }
    assert.isUndefined(getChat(long).request.session_id)
  })

  it("names the fields of this API when a chat could not be made", () => {
    const request = { model: "a/b", input: "Hm?" }
    assert.deepStrictEqual(getPath({ ...request, max_output_tokens: 0 }), ["max_output_tokens"])
    assert.deepStrictEqual(getPath({ ...request, input: [] }), ["input"])
    assert.deepStrictEqual(getPath({ ...request, models: 1 }), ["models"])
    const image = { type: "input_image", image_url: "file:///etc/passwd" }
    const private_ = [{ role: "user", content: [image] }]
    assert.deepStrictEqual(getPath({ ...request, input: private_ }), [
      "input",
      0,
      "content",
      0,
      "image_url"
    ])
    assert.deepStrictEqual(getPath({ ...request, text: { format: { type: "json_schema" } } }), [
      "text",
      "format",
      "schema"
    ])
  })

  it("counts null as absent", () => {
    const { parameters } = getChat({
      model: "a/b",
      input: "Hm?",
      store: null,
      temperature: null,
      tools: null,
      text: null,
      reasoning: null,
      metadata: null,
      previous_response_id: null
    })
    assert.deepStrictEqual(parameters, {})
  })
})

describe("isResponsesRequest", () => {
  it("leaves to the model what is valid for embeddings, too", () => {
    assert.isUndefined(isResponsesRequest({ model: "a/b", input: "Hm?" }))
    assert.isTrue(isResponsesRequest({ input: "Hm?" }))
    assert.isTrue(isResponsesRequest({ model: "a/b", input: "Hm?", instructions: "Be brief." }))
    assert.isTrue(isResponsesRequest({ model: "a/b", input: [{ role: "user", content: "Hm?" }] }))
    assert.isFalse(isResponsesRequest({ model: "a/b", input: "Hm?", dimensions: 3 }))
    assert.isFalse(isResponsesRequest({ model: "a/b", input: ["Hm?"] }))
    assert.isFalse(isResponsesRequest({ model: "a/b", input: [{ content: [] }] }))
  })
})
