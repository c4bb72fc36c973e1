import { type ChatCallInput, makeChatCall } from "@signalbox/core/dialects"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { assert, describe, it, layer } from "@effect/vitest"
import { sendJson, startRecordingServer } from "@signalbox/testing/recording"
import * as Effect from "effect/Effect"
import { openai, type OpenAiOptions } from "../src/index.ts"

const call: ChatCallInput = {
  model: "gpt-5-mini",
  messages: [{ role: "user", content: "Is all well?" }],
  parameters: { temperature: 0.5 },
  contentBytes: 100
}

/** What both APIs answer, in one. */
const answer = {
  choices: [{ message: { role: "assistant", content: "Yes." }, finish_reason: "stop" }],
  status: "completed",
  output: [{ type: "message", role: "assistant", content: [{ type: "output_text", text: "Yes." }] }]
}

const findFamily = ({ chat }: ReturnType<typeof openai>, model: string) =>
  typeof chat?.reasoningFamily === "function" ? chat.reasoningFamily(model) : chat?.reasoningFamily

describe("api", () => {
  it("is chat by default, which checks parameters, while Responses leaves some out", () => {
    assert.strictEqual(openai({ apiKey: null }).chat?.checksParameters, true)
    const responses = openai({ apiKey: null, api: "responses", checksParameters: true })
    assert.isUndefined(responses.chat?.checksParameters)
    assert.isUndefined(responses.decisions?.checksParameters)
    assert.strictEqual(findFamily(responses, "gpt-5"), "openai")
    assert.strictEqual(findFamily(openai({ apiKey: null }), "gpt-5"), "nobody")
  })

  it.each([{ api: "messages" }, { api: 1 }, { models: "gpt" }])("rejects %j", (options) => {
    assert.throws(() => openai({ apiKey: null, ...options } as OpenAiOptions), RangeError)
  })
})

layer(NodeHttpClient.layerUndici)("api", (it) => {
  it.effect("may depend on the model", () =>
    Effect.gen(function* () {
      const server = yield* startRecordingServer((_, response) => sendJson(response, answer))
      const upstream = openai({
        baseUrl: server.url,
        api: (model) => (model.startsWith("gpt-5") ? "responses" : "chat"),
        models: { "gpt-5-ours": { isReasoning: false } }
      })
      assert.isDefined(upstream.chat)
      for (const model of ["gpt-5-mini", "gpt-4.1", "gpt-5-ours"]) {
        const { choices } = yield* upstream.chat.complete(makeChatCall({ ...call, model }))
        assert.deepStrictEqual(choices[0]?.answer.parts, [{ type: "text", text: "Yes." }])
      }
      assert.deepStrictEqual(
        server.requests.map(({ json, url }) => [
          url,
          typeof json === "object" && json !== null && "temperature" in json
        ]),
        [
          ["/responses", false],
          ["/chat/completions", true],
          ["/responses", true]
        ]
      )
      assert.strictEqual(findFamily(upstream, "gpt-5-mini"), "openai")
      assert.isUndefined(findFamily(upstream, "gpt-4.1"))
    })
  )
})
