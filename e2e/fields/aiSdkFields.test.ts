/** At a model of the AI SDK, too, every field is done, passed on, told or refused. */
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  SharedV4Warning
} from "@ai-sdk/provider"
import { fromAiSdk } from "@signalbox/ai-sdk"
import { Signalbox } from "@signalbox/node"
import { expect, onTestFinished, test } from "vitest"
import { nodeHost } from "../support/hosts.ts"
import { recordLogs } from "../support/recordTelemetry.ts"
import { send } from "../support/send.ts"
import { makeTestStores } from "../support/testStores.ts"
import { chatApis } from "./chatApis.ts"
import { isToldBy } from "./isToldBy.ts"
import { listTreatments } from "./FieldRow.ts"

const key = "sk-ai-sdk-member-41c7"

const usage = {
  inputTokens: { total: 3, noCache: 3, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 }
}

const listParts = (
  warnings: ReadonlyArray<SharedV4Warning>
): ReadonlyArray<LanguageModelV4StreamPart> => [
  { type: "stream-start", warnings: [...warnings] },
  { type: "text-start", id: "1" },
  { type: "text-delta", id: "1", delta: "Calm." },
  { type: "text-end", id: "1" },
  { type: "finish", finishReason: { unified: "stop", raw: "stop" }, usage }
]

const start = async (warnings: ReadonlyArray<SharedV4Warning> = []) => {
  const asked: Array<LanguageModelV4CallOptions> = []
  const model: LanguageModelV4 = {
    specificationVersion: "v4",
    provider: "fake.chat",
    modelId: "fake",
    supportedUrls: {},
    doGenerate: async (options) => {
      asked.push(options)
      return {
        content: [{ type: "text", text: "Calm." }],
        finishReason: { unified: "stop", raw: "stop" },
        usage,
        warnings: [...warnings]
      }
    },
    doStream: async () => ({ stream: ReadableStream.from(listParts(warnings)) })
  }
  const price = { prompt: "0", completion: "0" }
  const instance = await Signalbox.make({
    ...makeTestStores(),
    upstreams: [fromAiSdk(model, { slug: "fake" })],
    models: [{ id: "proof/fake", endpoints: [{ provider: "fake", price }] }],
    keys: [{ key, kind: "member", user: "mem-1" }],
    telemetry: recordLogs([])
  })
  const host = await nodeHost.start(instance, "")
  onTestFinished(async () => {
    await host.close()
    await instance.close()
  })
  return {
    asked,
    readLastRecord: async () => {
      const [last] = (await instance.generations.list({})).data
      return (await instance.generations.getRecord({ id: last?.id ?? "" })).data
    },
    ask: async (path: string, body: object, headers = {}) => {
      const before = asked.length
      const answer = await send(`${host.origin}${path}`, {
        body: JSON.stringify({ model: "proof/fake", ...body }),
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers }
      })
      return {
        status: answer.status,
        text: answer.text,
        told: answer.headers["x-signalbox-ignored"]?.split(", ") ?? [],
        sent: JSON.stringify(asked.slice(before))
      }
    }
  }
}

test.each(chatApis)(
  "no field of $name is lost in silence",
  { timeout: 60_000 },
  async ({ base, path, rows }) => {
    const { ask } = await start()
    const silent: Array<string> = []
    for (const row of rows) {
      if (row.request["models"] !== undefined || row.request["fallbacks"] !== undefined) continue
      const plain = await ask(path, { ...base, ...row.without })
      const given = await ask(path, { ...base, ...row.request })
      expect(plain.status).toBe(200)
      const isTold = given.told.some((name) => !plain.told.includes(name) && isToldBy(row, name))
      const isDone = listTreatments(row).includes("done")
      if (given.status === 200 && !isTold && !isDone && given.sent === plain.sent) {
        silent.push(row.field)
      }
    }
    expect(silent).toEqual([])
  }
)

test("a strict request that would lose a field is refused, and the model is not called", async () => {
  const { ask, asked } = await start()
  const [{ base, path }] = chatApis
  const strict = { "x-signalbox-strict": "true" }
  const refused = await ask(path, { ...base, logit_bias: { 1: 1 } }, strict)
  expect(refused.status).toBe(400)
  expect(refused.text).toContain("logit_bias")
  expect(asked).toHaveLength(0)
  expect((await ask(path, { ...base, temperature: 0.5 }, strict)).status).toBe(200)
})

test.each([false, true])(
  "warnings of the model, which were only logged, are told; streamed: %s",
  async (stream) => {
    const { ask, readLastRecord } = await start([
      { type: "unsupported", feature: "topK" },
      { type: "other", message: "It is windy." }
    ])
    const [{ base, path }] = chatApis
    const answer = await ask(path, { ...base, top_k: 4, stream })
    expect([answer.status, answer.told]).toEqual([200, ["top_k"]])
    expect(await readLastRecord()).toMatchObject({
      attempts: [{ dropped_parameters: ["top_k"] }]
    })
  }
)
