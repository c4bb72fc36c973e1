/** A refused access token is fetched anew once, in an attempt of its own; nothing else repeats a request. */
import { vertex } from "@signalbox/google"
import { Signalbox } from "@signalbox/node"
import { azureOpenai } from "@signalbox/openai"
import { type ReceivedRequest, sendJson, startRecordingServer } from "@signalbox/testing/recording"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import OpenAI from "openai"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import { nodeHost } from "../support/hosts.ts"
import { makeTestStores } from "../support/testStores.ts"
import { askChat } from "./askChat.ts"
import { findProviderDialect } from "./ProviderDialect.ts"
import { sendNative } from "./sendNative.ts"
import { speak } from "./speak.ts"

const memberKey = "sk-tokens-member-3b"
const answers = speak({ said: [{ text: ["All is calm."] }] })

const providers = [
  {
    name: "Vertex with Gemini",
    model: "gemini-3-flash",
    make: (url: string, token: () => string) =>
      vertex({ slug: "cloud", project: "proof-project", location: "global", token, baseUrl: url })
  },
  {
    name: "Vertex with Claude",
    model: "claude-opus-5",
    make: (url: string, token: () => string) =>
      vertex({ slug: "cloud", project: "proof-project", location: "global", token, baseUrl: url })
  },
  {
    name: "Azure with chat",
    model: "gpt-5",
    make: (url: string, token: () => string) =>
      azureOpenai({ slug: "cloud", token, baseUrl: `${url}/openai/v1` })
  },
  {
    name: "Azure with Responses",
    model: "gpt-5",
    make: (url: string, token: () => string) =>
      azureOpenai({ slug: "cloud", token, baseUrl: `${url}/openai/v1`, api: "responses" })
  }
]

const start = async (
  { make, model }: (typeof providers)[number],
  accepts: (request: ReceivedRequest) => boolean
) => {
  const scope = Scope.makeUnsafe()
  const server = await Effect.runPromise(
    startRecordingServer((request, response) =>
      accepts(request)
        ? sendNative(
            answers[findProviderDialect(request.url?.split("?", 1)[0] ?? "")],
            request,
            response
          )
        : sendJson(response, { error: { message: "no such token" } }, 401)
    ).pipe(Scope.provide(scope))
  )
  let fetched = 0
  const records: Array<{ readonly attempts: ReadonlyArray<unknown> }> = []
  const instance = await Signalbox.make({
    ...makeTestStores(),
    upstreams: [make(server.url, () => `token-${++fetched}`)],
    models: [{ id: "proof/model", endpoints: [{ provider: "cloud", model, price: {} }] }],
    keys: [{ key: memberKey, kind: "member", user: "mem-1" }],
    broadcast: [(record) => void records.push(record)]
  })
  const host = await nodeHost.start(instance, "")
  onTestFinished(async () => {
    await host.close()
    await instance.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })
  const client = new OpenAI({
    apiKey: memberKey,
    baseURL: `${host.origin}/api/v1`,
    maxRetries: 0
  })
  const ask = (isStreamed: boolean) =>
    askChat(
      client,
      { model: "proof/model", messages: [{ role: "user", content: "Is it calm?" }] },
      isStreamed
    )
  const listTokens = () => server.requests.map(({ headers }) => headers["authorization"])
  return { ask, listTokens, records }
}

/** A token that was fetched within the last half minute is not fetched again. */
const passMinute = (): void => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 })
  onTestFinished(() => void vi.useRealTimers())
}

describe.each(providers)("$name", (provider) => {
  test.each([false, true])(
    "gets a new token for a refused one (stream: %s)",
    async (isStreamed) => {
      let refused = ""
      const { ask, listTokens, records } = await start(
        provider,
        ({ headers }) => headers["authorization"] !== refused
      )
      await ask(isStreamed)
      refused = "Bearer token-1"
      passMinute()
      expect(await ask(isStreamed)).toMatchObject({ content: "All is calm.", finish: "stop" })
      // The new one is kept.
      expect(await ask(isStreamed)).toMatchObject({ content: "All is calm." })
      expect(listTokens()).toEqual([
        "Bearer token-1",
        "Bearer token-1",
        "Bearer token-2",
        "Bearer token-2"
      ])
      await expect.poll(() => records).toHaveLength(3)
      expect(records.map(({ attempts }) => attempts)).toMatchObject([
        [{ outcome: "served" }],
        [{ outcome: "credential_refused", status: 401 }, { outcome: "served" }],
        [{ outcome: "served" }]
      ])
    }
  )

  test.each([false, true])("is asked twice if it refuses both (stream: %s)", async (isStreamed) => {
    let accepts = true
    const { ask, listTokens, records } = await start(provider, () => accepts)
    await ask(isStreamed)
    accepts = false
    passMinute()
    const { error } = await ask(isStreamed)
    // The caller's own key was right.
    expect(error?.code).toBe(502)
    expect(listTokens().slice(1)).toEqual(["Bearer token-1", "Bearer token-2"])
    await expect.poll(() => records).toHaveLength(2)
    expect(records[1]?.attempts).toMatchObject([
      { outcome: "credential_refused", status: 401 },
      { outcome: "credential_refused", status: 401 }
    ])
  })

  test("is asked once if it refuses a token that is new", async () => {
    const { ask, listTokens, records } = await start(provider, () => false)
    expect((await ask(false)).error?.code).toBe(502)
    expect(listTokens()).toEqual(["Bearer token-1"])
    await expect.poll(() => records).toHaveLength(1)
    expect(records[0]?.attempts).toHaveLength(1)
  })
})
