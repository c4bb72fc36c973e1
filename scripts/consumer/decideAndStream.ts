/**
 * Decides in process and streams a chat over HTTP, with the packages as a consumer loaded them. The oldest Node reads
 * this file unchanged, and does not know `using`.
 */
import assert from "node:assert/strict"
import { once } from "node:events"
import { createServer } from "node:http"
import type { createClient } from "@signalbox/client"
import type { Signalbox, signalbox } from "@signalbox/node"
import type { openai } from "@signalbox/openai"
import type { ScriptedUpstream } from "@signalbox/testing"

export interface Loaded {
  readonly createClient: typeof createClient
  readonly openai: typeof openai
  readonly ScriptedUpstream: typeof ScriptedUpstream
  readonly Signalbox: typeof Signalbox
  readonly signalbox: typeof signalbox
}

const apiKey = "sk-consumer"
const model = "author/writer"

/** `name` is the consumer's name, for the line it prints. */
export const decideAndStream = async (name: string, loaded: Loaded): Promise<void> => {
  const upstream = await loaded.ScriptedUpstream.start()
  const instance = await loaded.Signalbox.make({
    upstreams: [loaded.openai({ apiKey: "sk-none", baseUrl: `${upstream.url}/v1` })],
    models: [{ id: model, endpoints: [{ provider: "openai", price: {}, contextLength: 9_000 }] }],
    keys: [{ key: apiKey, kind: "member", user: "consumer" }]
  })
  const { answers } = await instance.decide({
    model,
    state: "I was charged twice!",
    questions: { angry: { type: "noul", instructions: "Is the customer angry?" } }
  })
  assert.ok(answers.angry.noul >= 0 && answers.angry.noul <= 1)

  const server = createServer(loaded.signalbox(instance)).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("no port")
  const client = loaded.createClient({ baseUrl: `http://127.0.0.1:${address.port}`, apiKey })
  const messages = [{ role: "user", content: "Is all well?" }] as const
  let text = ""
  for await (const { choices } of client.chat.stream({ model, messages })) {
    text += choices[0]?.delta.content ?? ""
  }
  assert.notEqual(text, "")
  assert.equal(upstream.requests.length, 2)

  server.close()
  server.closeAllConnections()
  await instance.close()
  await upstream[Symbol.asyncDispose]()
  console.log(`${name}: decided and streamed a chat on node ${process.version}`)
}
