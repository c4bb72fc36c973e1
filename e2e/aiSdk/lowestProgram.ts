/** Runs every kind of model with the lowest versions of `ai` and `@ai-sdk/provider`, which its bundle has. */
import assert from "node:assert"
import { signalboxProvider } from "@signalbox/ai-sdk"
import { Signalbox } from "@signalbox/node"
import { openai, rerank as rerankDialect } from "@signalbox/openai"
import { fault, reply, ScriptedUpstream, vectorOf } from "@signalbox/testing"
import { APICallError, embed, generateText, rerank, streamText } from "ai"

const server = await ScriptedUpstream.start()
const baseUrl = `${server.url}/v1`
const apiKey = "sk-1"
const upstream = {
  ...openai({ slug: "one", name: "One", baseUrl, apiKey }),
  rerank: rerankDialect({ dialect: "jina", baseUrl, apiKey }).rerank!
}
const endpoints = [
  { provider: "one", price: { prompt: "0", completion: "0" }, contextLength: 8_192 }
]
const toCard = (output: string) => ({
  card: { architecture: { input_modalities: ["text"], output_modalities: [output] } }
})
const signalbox = await Signalbox.make({
  upstreams: [upstream],
  models: [
    { id: "a/chat", endpoints },
    { id: "a/embed", endpoints, ...toCard("embeddings") },
    { id: "a/rank", endpoints, ...toCard("rerank") }
  ]
})
const ai = signalboxProvider(signalbox)
const call = { model: ai("a/chat"), prompt: "Is it calm at sea?", maxRetries: 0 }

server.always(reply.chat(["It ", "is ", "calm."]))
assert.equal((await generateText(call)).text, "It is calm.")
assert.equal(await streamText(call).text, "It is calm.")

server.always(fault.status(500))
const failure = await generateText(call).catch((error: unknown) => error)
assert.ok(APICallError.isInstance(failure) && failure.statusCode === 502)
await assert.rejects(
  generateText({ ...call, providerOptions: { signalbox: { modls: [] } } }),
  /modls is no option/
)

server.always(reply.embeddings())
const { embedding } = await embed({ model: ai.embeddingModel("a/embed"), value: "calm" })
assert.deepEqual(embedding, vectorOf("calm"))

server.always(reply.ranking([0.25, 0.75]))
const { ranking } = await rerank({
  model: ai.rerankingModel("a/rank"),
  query: "calm?",
  documents: ["storm", "calm"]
})
assert.equal(ranking[0]?.originalIndex, 1)

await signalbox.close()
await server.close()
