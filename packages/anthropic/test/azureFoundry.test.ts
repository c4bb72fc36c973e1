import { type ChatCallInput, makeChatCall } from "@signalbox/core/dialects"
import { assert, describe, expect, it } from "@effect/vitest"
import { ScriptedUpstream } from "@signalbox/testing"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Redacted from "effect/Redacted"
import { azureFoundry, type AzureFoundryOptions } from "../src/index.ts"

const call: ChatCallInput = {
  model: "support-bot",
  messages: [{ role: "user", content: "Is all well?" }],
  parameters: {},
  contentBytes: 60
}

const startServer = Effect.acquireRelease(
  Effect.promise(() => ScriptedUpstream.start()),
  (server) => Effect.promise(() => server.close())
)

/** The resource cannot be reached from here, so the server stands for it. */
const ask = Effect.fnUntraced(function* (
  server: ScriptedUpstream,
  options: AzureFoundryOptions,
  request = call
) {
  const { chat } = azureFoundry({ baseUrl: `${server.url}/anthropic`, ...options })
  assert.isDefined(chat)
  return yield* Effect.result(chat.complete(makeChatCall(request))).pipe(
    Effect.provide(FetchHttpClient.layer)
  )
})

describe("azureFoundry", () => {
  it("has a slug and a name", () => {
    const { name, slug } = azureFoundry({ resource: "contoso", apiKey: null })
    assert.deepStrictEqual([slug, name], ["azure-foundry", "Azure Foundry"])
  })

  it.each([
    [{}, "azureFoundry: pass resource"],
    [{ resource: "contoso.example" }, "azureFoundry: resource must be one label of a hostname"],
    [{ resource: "a/b" }, "azureFoundry: resource must be one label of a hostname"],
    [{ baseUrl: "contoso" }, "baseUrl must be an address such as https://my-resource."],
    [{ resource: "contoso" }, "contoso.services.ai.azure.com needs one"],
    [{ resource: "contoso", apiKey: "" }, "azureFoundry: apiKey is empty"],
    [{ resource: "contoso", apiKey: "k", token: () => "t" }, "pass apiKey or token, not both"],
    [{ resource: "contoso", apiKey: "k", maxImageTokens: -1 }, "maxImageTokens must be a whole"]
  ])("rejects %j", (options, message) => {
    assert.throws(() => azureFoundry(options), RangeError, message)
  })

  it.effect("names the deployment, and sends the key or that of the customer", () =>
    Effect.gen(function* () {
      const server = yield* startServer
      const models = { support: { maxOutputTokens: 9_000 } }
      yield* ask(server, { apiKey: "key-of-the-house", models })
      const credential = Redacted.make("key-of-the-customer")
      yield* ask(server, { apiKey: "key-of-the-house" }, { ...call, credential })
      const [first, second] = server.requests
      assert.strictEqual(first?.path, "/anthropic/v1/messages")
      expect(first?.body).toMatchObject({ model: "support-bot", max_tokens: 9_000 })
      assert.strictEqual(first?.headers["api-key"], "key-of-the-house")
      assert.strictEqual(second?.headers["api-key"], "key-of-the-customer")
    })
  )

  it.effect("sends an access token instead of a key", () =>
    Effect.gen(function* () {
      const server = yield* startServer
      let tokens = 0
      const token = () => `token-of-entra-${++tokens}`
      yield* ask(server, { token })
      const { authorization, "api-key": key } = server.requests[0]?.headers ?? {}
      assert.deepStrictEqual([authorization, key], ["Bearer token-of-entra-1", undefined])
    })
  )
})
