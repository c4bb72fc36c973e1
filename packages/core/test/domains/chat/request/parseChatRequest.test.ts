import * as Result from "effect/Result"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { parseChatRequest } from "../../../../src/domains/chat/request/parseChatRequest.ts"
import { defaults } from "../../../../src/instance/Settings.ts"

const parse = (text: string, session?: string) =>
  parseChatRequest(text, { bytes: Buffer.byteLength(text), session, settings: defaults })

const read = (request: object | string, session?: string) =>
  Result.getOrThrow(parse(typeof request === "string" ? request : JSON.stringify(request), session))

const refusal = (request: object | string) => {
  const text = typeof request === "string" ? request : JSON.stringify(request)
  const error = Result.getOrThrow(Result.flip(parse(text)))
  return error._tag === "InvalidRequest" ? error.path.join(".") : error.limitBytes
}

const messages = [{ role: "user", content: "hello" }]

const picture = (bytes: number) => ({
  type: "image_url",
  image_url: { url: `data:image/png;base64,${"A".repeat(bytes)}` }
})

const saying = (characters: number) => ({
  messages: [{ role: "user", content: "x".repeat(characters) }]
})

const eleven = <A>(item: A): ReadonlyArray<A> => Array.from({ length: 11 }, () => item)

describe("parseChatRequest", () => {
  it("separates the fields of the router from the parameters of the model", () => {
    const { maxOutputTokens, models, parameters, request } = read({
      messages,
      model: "a/b",
      models: ["c/d", "a/b"],
      provider: { order: ["one"] },
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 9,
      max_completion_tokens: 7,
      temperature: 0.2,
      stop: null,
      plugins: [],
      metadata: { a: "b" },
      user: "ada"
    })
    assert.deepStrictEqual(models, ["a/b", "c/d"])
    assert.deepStrictEqual(parameters, {
      max_tokens: 9,
      max_completion_tokens: 7,
      temperature: 0.2
    })
    assert.strictEqual(maxOutputTokens, 7)
    assert.strictEqual(request.stream, true)
    assert.deepStrictEqual(request.provider, { order: ["one"] })
  })

  it("rejects URLs into private networks, and names their path", () => {
    const address = { type: "image_url", image_url: { url: "http://169.254.169.254/latest" } }
    const content = [{ type: "text", text: "see" }, address]
    assert.strictEqual(
      refusal({ model: "a/b", messages: [...messages, { role: "user", content }] }),
      "messages.1.content.1.image_url.url"
    )
    const file = { type: "file", file: { file_data: "file:///etc/passwd" } }
    assert.strictEqual(
      refusal({ model: "a/b", messages, prediction: { type: "content", content: [file] } }),
      "prediction.content.0.file.file_data"
    )
  })

  it("passes messages and parameters with any keys through unchanged", () => {
    const text = `{"model":"a/b","messages":[{"role":"user","content":"x","__proto__":{"a":1}}],"__proto__":{"b":2}}`
    const parsed = read(text)
    assert.strictEqual(
      JSON.stringify(parsed.native.body["messages"]),
      `[{"role":"user","content":"x","__proto__":{"a":1}}]`
    )
    assert.strictEqual(JSON.stringify(parsed.parameters), `{"__proto__":{"b":2}}`)
    assert.isUndefined(Object.getPrototypeOf(parsed.parameters)["b"])
  })

  it("passes any parameters through", () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.string().map((name) => `x_${name}`),
          fc.jsonValue().filter((value) => value !== null)
        ),
        (parameters) => {
          const parsed = read({ ...parameters, messages })
          assert.strictEqual(JSON.stringify(parsed.parameters), JSON.stringify(parameters))
          assert.strictEqual(
            parsed.size.get(),
            Buffer.byteLength(JSON.stringify({ messages, parameters }))
          )
        }
      )
    )
  })

  it.each([
    ["not JSON", "{", ""],
    ["no object", "[]", ""],
    ["without messages", {}, "messages"],
    ["with no message", { messages: [] }, "messages"],
    ["with an invalid message", { messages: [...messages, "x"] }, "messages.1"],
    ["with a message without a role", { messages: [{ content: "x" }] }, "messages.0.role"],
    ["with a nameless model", { messages, model: "" }, "model"],
    ["with an invalid model", { messages, models: ["a/b", 1] }, "models.1"],
    ["with an unknown preference", { messages, provider: { onyl: [] } }, "provider.onyl"],
    ["with a cap of zero", { messages, max_tokens: 0 }, "max_tokens"],
    ["with a stream that is not a boolean", { messages, stream: "yes" }, "stream"],
    ["with a session that is too long", { messages, session_id: "s".repeat(257) }, "session_id"]
  ] as const)("rejects one %s, naming the path", (_, request, path) => {
    assert.strictEqual(refusal(request), path)
  })

  it.each([
    ["n", "from 1 to 128"],
    ["best_of", "from 1 to 128"],
    ["max_tokens", "from 1"],
    ["max_completion_tokens", "from 1"],
    ["max_output_tokens", "from 1"],
    ["max_new_tokens", "from 1"],
    ["min_tokens", "from 0"],
    ["reasoning.max_tokens", "from 0"],
    ["thinking.budget_tokens", "from 0"],
    ["tools.0.max_uses", "from 1 to 1000"]
  ])(
    "rejects a %s that is not a whole number %s, because it would cost more than is reserved",
    (path, range) => {
      const makeRequest = (value: unknown): object => {
        if (path === "tools.0.max_uses")
          return { messages, tools: [{ type: "x", max_uses: value }] }
        const [name = "", below] = path.split(".")
        return { messages, [name]: below === undefined ? value : { [below]: value } }
      }
      for (const value of ["100", 1.5, 1e300, [5], {}, true, -1]) {
        const text = JSON.stringify(makeRequest(value))
        const error = Result.getOrThrow(Result.flip(parse(text)))
        assert.strictEqual(error._tag, "InvalidRequest", text)
        if (error._tag !== "InvalidRequest") continue
        assert.strictEqual(error.path.join("."), path, text)
        assert.strictEqual(error.problem, `must be a whole number ${range}`)
      }
      for (const value of [1, null])
        assert.isTrue(Result.isSuccess(parse(JSON.stringify(makeRequest(value)))))
    }
  )

  it("uses the session of the header unless the body has one", () => {
    assert.strictEqual(read({ messages }, "header").request.session_id, "header")
    assert.strictEqual(read({ messages, session_id: "body" }, "header").request.session_id, "body")
  })

  it("accepts larger bodies with media, and counts each medium as a constant number of tokens", () => {
    const text = { type: "text", text: "what is it?" }
    const parsed = read({ messages: [{ role: "user", content: [text, picture(2_000_000)] }] })
    assert.strictEqual(parsed.images, 1)
    assert.isBelow(parsed.inputTokens, 1_100)
    assert.isAbove(parsed.size.get(), 2_000_000)
  })

  it("accepts what the context of current models holds, and rejects more", () => {
    assert.strictEqual(read(saying(4_000_000)).bytes, 4_000_043)
    assert.strictEqual(refusal(saying(17_000_000)), defaults.maxChatBodyBytes)
  })

  it.each([
    ["messages", { messages: eleven(messages[0]) }, "messages", "maxMessages"],
    [
      "parts of one message",
      {
        messages: [...messages, { role: "user", content: eleven({ type: "text", text: "" }) }]
      },
      "messages.1.content",
      "maxContentParts"
    ],
    ["tools", { messages, tools: eleven({ type: "function" }) }, "tools", "maxTools"]
  ] as const)(
    "rejects more %s than a setting allows, and names the setting",
    (_, request, path, setting) => {
      const text = JSON.stringify(request)
      const parse = (settings: object) =>
        parseChatRequest(text, {
          bytes: text.length,
          settings: { ...defaults, ...settings }
        })
      assert.isTrue(Result.isSuccess(parse({ [setting]: 11 })))
      const error = Result.getOrThrow(Result.flip(parse({ [setting]: 10 })))
      assert.deepInclude(error, {
        path: path.split(".").map((key) => (key === "1" ? 1 : key)),
        problem: `must have at most 10 (${setting}), got 11`
      })
    }
  )
})
