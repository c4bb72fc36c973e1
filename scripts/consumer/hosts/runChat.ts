/** A chat that the upstreams of three providers cannot answer, and a model of the AI SDK does. */
import assert from "node:assert/strict"
import { makeInstance, writer } from "./makeInstance.ts"

export const runChat = async (): Promise<void> => {
  await using consumer = await makeInstance()
  const { choices, provider } = await consumer.instance.chat({
    model: writer,
    provider: { order: ["anthropic", "amazon-bedrock", "google-ai-studio", "hall"] },
    messages: [{ role: "user", content: "Is all well?" }]
  })
  assert.equal(choices[0]?.message.content, "All is well.")
  assert.equal(provider, "hall")
}
