import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { isMessagesRequest } from "../../../src/domains/messages/isMessagesRequest.ts"
import { decodeMessagesChat } from "../../../src/domains/messages/parseMessagesChat.ts"
import { defaults as settings } from "../../../src/instance/Settings.ts"

const ask = { model: "a/b", messages: [{ role: "user", content: "?" }] }

const decode = (request: object, headers?: Readonly<Record<string, string>>) =>
  decodeMessagesChat(request, { bytes: JSON.stringify(request).length, settings, headers })

const parse = (request: object) => Result.getOrThrow(decode(request))

describe("decodeMessagesChat", () => {
  it("takes the fields of the router out of what providers with this API get", () => {
    const native = {
      ...ask,
      metadata: { user_id: "ann" },
      safeguards: [{ type: "classifier" }],
      field_of_tomorrow: 1,
      stream: false
    }
    const { parsed } = parse({
      ...native,
      provider: { order: ["x"] },
      session_id: "s",
      trace: { trace_name: "t" },
      plugins: [],
      route: "fallback"
    })
    expect(parsed.native).toEqual({
      dialect: "messages",
      body: native,
      fields: ["field_of_tomorrow"]
    })
    expect(parsed.request).toMatchObject({ user: "ann", session_id: "s" })
    expect(parsed.parameters).toEqual({})
  })

  it("prefers the user of the request to that of its metadata, which may be too long", () => {
    const metadata = { user_id: "ann" }
    expect(parse({ ...ask, user: "bob", metadata }).parsed.request.user).toBe("bob")
    const long = { user_id: "x".repeat(257) }
    expect(parse({ ...ask, metadata: long }).parsed.request.user).toBeUndefined()
  })

  it("tries fallbacks after the model, and leaves the word default to Anthropic", () => {
    const fallbacks = [{ model: "c/d" }, { model: "e/f" }]
    const { parsed } = parse({ ...ask, fallbacks })
    expect(parsed.models).toEqual(["a/b", "c/d", "e/f"])
    expect(parsed.native?.body).not.toHaveProperty("fallbacks")
    const named = parse({ ...ask, fallbacks: "default" }).parsed
    expect(named.models).toEqual(["a/b"])
    expect(named.native?.body).toMatchObject({ fallbacks: "default" })
    expect(named.native?.choosesModelAt).toBe("fallbacks")
  })

  it.each([
    [{ max_tokens: 0 }, "max_tokens"],
    [{ container: "c" }, "container"],
    [{ mcp_servers: [{}] }, "mcp_servers"],
    [{ tools: [{ name: "a", input_schema: {} }, { type: "bash_20250124" }] }, "tools.1"]
  ])("needs a provider with this API for %j", (change, neededAt) => {
    expect(parse({ ...ask, ...change }).parsed.native).toMatchObject({ neededAt })
  })

  it.each([
    [{ thread: { type: "create" } }, ["thread"], "thread_unsupported_request"],
    [{ fallbacks: [{ model: "c/d", speed: "fast" }] }, ["fallbacks", 0, "speed"], undefined],
    [
      { thinking: { type: "enabled", budget_tokens: -1 } },
      ["thinking", "budget_tokens"],
      undefined
    ],
    [{ fallbacks: [{ model: "" }] }, ["fallbacks", 0, "model"], undefined],
    [{ messages: "?" }, ["messages"], undefined]
  ])("rejects %j and says where", (change, path, reason) => {
    const decoded = decode({ ...ask, ...change })
    expect(Result.isFailure(decoded) && decoded.failure).toMatchObject({
      _tag: "InvalidRequest",
      path,
      ...(reason === undefined ? undefined : { reason })
    })
  })

  it("treats null as absent", () => {
    const nulls = { system: null, tools: null, fallbacks: null, thread: null, models: null }
    expect(Result.isSuccess(decode({ ...ask, ...nulls, temperature: null, user: null }))).toBe(true)
  })
})

describe("isMessagesRequest", () => {
  it.each([
    { ...ask, system: "Be terse." },
    { ...ask, tools: [{ name: "a", input_schema: {} }] },
    { ...ask, tool_choice: { type: "any" } },
    { messages: [{ role: "user", content: [{ type: "tool_result", tool_use_id: "x" }] }] },
    { messages: [{ role: "user", content: [{ type: "image", source: { type: "url" } }] }] }
  ])("recognizes %j", (request) => {
    expect(isMessagesRequest(request)).toBe(true)
  })

  it.each([
    ask,
    { ...ask, max_tokens: 5, temperature: 0, stream: true },
    { ...ask, tools: [{ type: "function", function: { name: "a" } }], tool_choice: "auto" },
    { ...ask, tool_choice: { type: "function", function: { name: "a" } } },
    { messages: [{ role: "user", content: [{ type: "image_url", image_url: { url: "x" } }] }] },
    null,
    "?"
  ])("takes %j for a chat", (request) => {
    expect(isMessagesRequest(request)).toBe(false)
  })
})
