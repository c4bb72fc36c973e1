/** Uses the published packages on the runtime that runs it: makes an instance on web standards and streams a chat. */
import assert from "node:assert/strict"
import { openai } from "@signalbox/openai"
import { ScriptedUpstream } from "@signalbox/testing"
import { Signalbox, signalbox } from "@signalbox/web"

const upstream = await ScriptedUpstream.start()
const instance = await Signalbox.make({
  upstreams: [openai({ apiKey: "sk-none", baseUrl: `${upstream.url}/v1` })],
  models: [
    { id: "author/writer", endpoints: [{ provider: "openai", price: {}, contextLength: 9_000 }] }
  ],
  keys: [{ key: "sk-consumer", kind: "member", user: "consumer" }]
})
const ai = signalbox(instance, { mount: "/ai" })
const response = await ai(
  new Request("http://host.invalid/ai/api/v1/chat/completions", {
    method: "POST",
    headers: { authorization: "Bearer sk-consumer", "content-type": "application/json" },
    body: JSON.stringify({
      model: "author/writer",
      stream: true,
      messages: [{ role: "user", content: "Is all well?" }]
    })
  })
)
const text = await response.text()
assert.equal(response.status, 200, text)
assert.match(text, /"finish_reason":"stop"/)
assert.ok(text.endsWith("data: [DONE]\n\n"))
await instance.close()
await upstream[Symbol.asyncDispose]()
console.log("streamed a chat: ok")
