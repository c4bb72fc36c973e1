import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { assert, describe, it } from "@effect/vitest"
import type { Questions } from "@signalbox/core"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { inspect } from "node:util"
import { openai, type OpenAiOptions } from "../src/index.ts"
import { makeCall, makeScriptedEndpoint } from "./ScriptedEndpoint.ts"

const questions: Questions = { q: { type: "noul", instructions: "?" } }
const content = '{"q0": 1}'

describe("openai", () => {
  it("is OpenAI itself by default", () => {
    const upstream = openai({ apiKey: null })
    assert.strictEqual(upstream.slug, "openai")
    assert.strictEqual(upstream.name, "OpenAI")
    const other = openai({ apiKey: null, slug: "vllm", name: "Our vLLM" })
    assert.strictEqual(other.slug, "vllm")
    assert.strictEqual(other.name, "Our vLLM")
  })

  it("does not show its key", () => {
    const upstream = openai({ apiKey: "sk-secret" })
    assert.notInclude(JSON.stringify(upstream) + inspect(upstream, { depth: 9 }), "sk-secret")
  })

  it.each([
    { minLabelMass: -0.1 },
    { minLabelMass: 1.1 },
    { minLabelMass: Number.NaN },
    { maxImageTokens: -1 },
    { maxImageTokens: Number.POSITIVE_INFINITY },
    { maxOutputTokens: 0 },
    { maxOutputTokens: 1.5 }
  ])("rejects %j", (options) => {
    assert.throws(() => openai({ apiKey: null, ...options }), RangeError)
  })

  it.each([
    [
      { baseURL: "http://127.0.0.1:8000/v1" },
      "openai: baseURL is no option; did you mean baseUrl?"
    ],
    [{ baseUrl: new URL("http://127.0.0.1:8000/v1") }, "openai: baseUrl must be of type string"],
    [{ apiKey: 5 }, "openai: apiKey must be of type string"],
    ["sk-1", "openai takes one object of options: apiKey, "]
  ])("rejects %j instead of calling OpenAI itself", (options, message) => {
    assert.throws(() => openai(options as OpenAiOptions), message)
  })

  it.each([{}, { apiKey: undefined }, { apiKey: "" }, { baseUrl: "https://api.openai.com/v1/" }])(
    "rejects a missing key for OpenAI itself: %j",
    (options) => {
      assert.throws(
        () => openai(options),
        RangeError,
        "and api.openai.com needs one; is the variable that holds it set?"
      )
    }
  )

  it("needs no key with customers' credentials, or at another base URL", () => {
    assert.strictEqual(openai({ apiKey: null }).slug, "openai")
    assert.strictEqual(openai({ baseUrl: "http://127.0.0.1:8000/v1" }).slug, "openai")
  })

  it.each(["", "localhost:8000/v1", "127.0.0.1:8000/v1", "ftp://127.0.0.1/v1", "http://"])(
    "rejects the base URL %j",
    (baseUrl) => {
      assert.throws(() => openai({ baseUrl }), /^baseUrl must be an address/)
    }
  )

  it.effect("posts to the base URL with its key and headers, with or without a slash", () =>
    Effect.gen(function* () {
      const endpoint = yield* makeScriptedEndpoint(() => ({ content }))
      for (const base of ["/v1", "/v1/", ""]) {
        yield* openai({
          apiKey: Redacted.make("sk-redacted"),
          baseUrl: endpoint.url + base,
          headers: { "x-title": "test", Authorization: "Bearer of another" }
        })
          .decisions!.decide(makeCall(questions))
          .pipe(Effect.provide(NodeHttpClient.layerUndici))
      }
      assert.deepStrictEqual(
        endpoint.requests.map(({ method, url }) => `${method} ${url}`),
        ["POST /v1/chat/completions", "POST /v1/chat/completions", "POST /chat/completions"]
      )
      for (const { headers } of endpoint.requests) {
        assert.strictEqual(headers["authorization"], "Bearer sk-redacted")
        assert.strictEqual(headers["x-title"], "test")
      }
    })
  )

  it.effect("uses the customer's credential if there is one, else its own or none", () =>
    Effect.gen(function* () {
      const endpoint = yield* makeScriptedEndpoint(() => ({ content }))
      const call = makeCall(questions)
      yield* endpoint.decide({ ...call, credential: Redacted.make("sk-of-the-customer") })
      yield* endpoint.decide(call)
      const keyless = yield* makeScriptedEndpoint(() => ({ content }), { apiKey: undefined })
      yield* keyless.decide(call)
      assert.deepStrictEqual(
        [...endpoint.requests, ...keyless.requests].map(({ headers }) => headers["authorization"]),
        ["Bearer sk-of-the-customer", "Bearer sk-of-the-house", undefined]
      )
    })
  )

  it.effect("counts the usage of each run of one effect separately", () =>
    Effect.gen(function* () {
      const endpoint = yield* makeScriptedEndpoint(() => ({ content, usage: [10, 2] }))
      const decide = endpoint.decide(makeCall(questions))
      yield* decide
      const again = yield* decide
      assert.deepStrictEqual(again.usage, { inputTokens: 10, outputTokens: 2 })
    })
  )
})
