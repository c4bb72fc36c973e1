/** An instance with two providers of one model, whose answers are cached for those who ask for it. */
import type { Options } from "@signalbox/core"
import { openai } from "@signalbox/openai"
import { Signalbox } from "@signalbox/node"
import { reply, ScriptedUpstream } from "@signalbox/testing"
import { onTestFinished } from "vitest"
import { type Host, nodeHost } from "../support/hosts.ts"
import { makeTestStores, withWorkspace } from "../support/testStores.ts"
import { send } from "../support/send.ts"

type Headers = Readonly<Record<string, string>>
export type Fields = Readonly<Record<string, unknown>>

export const askingForCache = { "x-openrouter-cache": "true" }
const elsewhere = "22222222-2222-4222-8222-222222222222"

const say = (text: string) => reply.chat(text, { usage: { inputTokens: 10, outputTokens: 3 } })

const makeUpstream = (slug: string, { url }: ScriptedUpstream) =>
  openai({ slug, name: slug, apiKey: "sk-upstream", baseUrl: `${url}/v1` })

const toEndpoint = (provider: string, prompt: string) => ({
  provider,
  price: { prompt, completion: "0.000002" },
  zdr: true
})

/** The first provider is cheaper. */
export const startCacheServer = async (options: Partial<Options> = {}, server: Host = nodeHost) => {
  const first = await ScriptedUpstream.start()
  const second = await ScriptedUpstream.start()
  first.always(say("by the first"))
  second.always(say("by the second"))
  const instance = await Signalbox.make({
    ...withWorkspace(elsewhere, makeTestStores()),
    upstreams: [makeUpstream("first", first), makeUpstream("second", second)],
    models: [
      {
        id: "proof/model",
        endpoints: [toEndpoint("first", "0.000001"), toEndpoint("second", "0.000009")]
      }
    ],
    keys: [
      { key: "sk-one", kind: "member", user: "mem-1" },
      { key: "sk-two", kind: "member", user: "mem-2" },
      { key: "sk-elsewhere", kind: "member", user: "mem-1", workspace: elsewhere },
      // With the id of the same workspace, because each account has one by default.
      { key: "sk-stranger", kind: "member", user: "mem-1", account: "stranger" },
      { key: "sk-management", kind: "management" }
    ],
    sealing: { current: "test", keys: { test: "sealing keys of tests have 32 letters" } },
    ...options
  })
  const host = await server.start(instance, "")
  onTestFinished(async () => {
    await host.close()
    await Promise.all([first.close(), second.close()])
    await instance.close()
  })
  const ask = async (fields: Fields = {}, headers: Headers = askingForCache, key = "sk-one") => {
    const answer = await send(`${host.origin}/api/v1/chat/completions`, {
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        ...headers
      },
      body: JSON.stringify({
        model: "proof/model:floor",
        messages: [{ role: "user", content: "Hi" }],
        ...fields
      })
    })
    return {
      ...answer,
      cache: answer.headers["x-openrouter-cache-status"],
      ttl: answer.headers["x-openrouter-cache-ttl"],
      said: JSON.stringify(answer.body)
    }
  }
  const manage = (path: string, body: unknown, method = "POST") =>
    send(`${host.origin}/api/v1${path}`, {
      method,
      headers: { authorization: "Bearer sk-management", "content-type": "application/json" },
      body: JSON.stringify(body)
    })
  return { ask, first, host, instance, manage, second }
}
