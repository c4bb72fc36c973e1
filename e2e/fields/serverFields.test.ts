/** Fields of the router reach an OpenRouter server that answers, and are told when another server answers instead. */
import { Signalbox } from "@signalbox/node"
import { azureOpenai } from "@signalbox/openai"
import { sendJson, startRecordingServer } from "@signalbox/testing/recording"
import * as Effect from "effect/Effect"
import { expect, test } from "vitest"
import { DialectServer, memberKey } from "../dialects/DialectServer.ts"
import { sendNative } from "../dialects/sendNative.ts"
import { speak } from "../dialects/speak.ts"
import { makeTestStores } from "../support/testStores.ts"
import { send } from "../support/send.ts"
import { chatApis } from "./chatApis.ts"

const answers = speak({ said: [{ text: ["Calm."] }] })

const given = {
  plugins: [
    { id: "web", max_results: 3 },
    { id: "file-parser", enabled: false }
  ],
  transforms: ["middle-out"],
  stop_server_tools_when: [{ type: "step_count_is", step_count: 2 }]
}

const isOpenRouter = ({ url = "" }: { readonly url?: string | undefined }) =>
  url.includes("/api/v1/")

const start = (isDown = false) =>
  DialectServer.start({
    answer: (request, response, dialect) =>
      isDown && isOpenRouter(request)
        ? sendJson(response, { error: { message: "down" } }, 500)
        : sendNative(answers[dialect], request, response)
  })

const ask = (
  { root }: DialectServer,
  { base, path }: (typeof chatApis)[number],
  body: object,
  headers = {}
) =>
  send(`${root}${path}`, {
    body: JSON.stringify({ ...base, ...given, ...body }),
    headers: {
      authorization: `Bearer ${memberKey}`,
      "content-type": "application/json",
      ...headers
    }
  })

test.each(
  chatApis.flatMap((api) => [[api.name, false, api] as const, [api.name, true, api] as const])
)("%s, streamed: %s", async (_, stream, api) => {
  await using server = await start()
  const model = "proof/openrouter"
  const answer = await ask(server, api, { model, stream }, { "x-signalbox-strict": "true" })
  expect([answer.status, answer.headers["x-signalbox-ignored"]]).toEqual([200, undefined])
  expect(server.requests[0]?.json).toMatchObject(given)
})

test.each(chatApis)("after a fallback the fields of $name are told", async (api) => {
  await using server = await start(true)
  const answer = await ask(server, api, {
    model: "proof/gateways",
    provider: { order: ["openrouter", "chat"] }
  })
  expect(server.requests.map(isOpenRouter)).toEqual([true, false])
  expect([answer.status, answer.headers["x-signalbox-ignored"]]).toEqual([
    200,
    "plugins, stop_server_tools_when, transforms"
  ])
  expect(server.requests[1]?.json).not.toHaveProperty("plugins")
})

test.each(chatApis)("a strict request of $name is served where they are known", async (api) => {
  await using server = await start()
  const answer = await ask(
    server,
    api,
    { model: "proof/gateways", provider: { order: ["chat", "openrouter"] } },
    { "x-signalbox-strict": "true" }
  )
  expect([answer.status, answer.headers["x-signalbox-ignored"]]).toEqual([200, undefined])
  expect(server.requests.map(isOpenRouter)).toEqual([true])
})

/** Azure serves OpenAI's API at any address. */
const askAzure = (api: "chat" | "responses", body: object) =>
  Effect.gen(function* () {
    const { requests, url } = yield* startRecordingServer((request, response) =>
      sendNative(answers[api], request, response)
    )
    const signalbox = yield* Effect.acquireRelease(
      Effect.promise(() =>
        Signalbox.make({
          ...makeTestStores(),
          upstreams: [azureOpenai({ baseUrl: url, apiKey: "sk-host-azure-7f3a90", api })],
          models: [{ id: "acme/one", endpoints: [{ provider: "azure", model: "gpt-4.1" }] }]
        })
      ),
      (made) => Effect.promise(() => made.close())
    )
    let told: ReadonlyArray<string> | undefined
    yield* Effect.promise(() =>
      signalbox.chat(
        { model: "acme/one", messages: [{ role: "user", content: "Is it calm?" }], ...body },
        { onRoute: ({ ignored }) => (told = ignored) }
      )
    )
    return { sent: requests[0]?.json, told }
  }).pipe(Effect.scoped, Effect.runPromise)

const metadata = { ticket: "7" }

test.each(["chat", "responses"] as const)("metadata reach OpenAI's %s API", async (api) => {
  const { sent, told } = await askAzure(api, { metadata, store: api === "chat" })
  expect([sent, told]).toEqual([expect.objectContaining({ metadata }), undefined])
})

test("metadata are told where OpenAI would refuse them, because the chat is not stored", async () => {
  const { sent, told } = await askAzure("chat", { metadata })
  expect(sent).not.toHaveProperty("metadata")
  expect(told).toEqual(["metadata"])
})
