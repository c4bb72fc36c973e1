/** What calls in process learn about their routing. */
import type { RouteReport } from "@signalbox/core/contract"
import { Signalbox } from "@signalbox/node"
import { openai } from "@signalbox/openai"
import { fault, reply, ScriptedUpstream } from "@signalbox/testing"
import { expect, onTestFinished, test } from "vitest"

const start = async () => {
  const first = await ScriptedUpstream.start()
  const second = await ScriptedUpstream.start()
  const upstreams = { first, second }
  const signalbox = await Signalbox.make({
    upstreams: (["first", "second"] as const).map((slug) =>
      openai({ slug, name: slug, baseUrl: `${upstreams[slug].url}/v1`, apiKey: "sk-of-the-host" })
    ),
    models: [
      {
        id: "a/b",
        endpoints: [
          { provider: "first", price: { prompt: "0", completion: "0" } },
          { provider: "second", price: { prompt: "0", completion: "0" } }
        ]
      }
    ]
  })
  onTestFinished(async () => {
    await signalbox.close()
    await first.close()
    await second.close()
  })
  const reports: Array<RouteReport> = []
  return {
    signalbox,
    first,
    second,
    reports,
    options: { onRoute: (report: RouteReport) => void reports.push(report) }
  }
}

const request = {
  model: "a/b",
  messages: [{ role: "user", content: "Is it calm?" }],
  provider: { order: ["first", "second"] }
} as const

const attempts = [
  { provider: "first", status: 529, error: "overloaded" },
  { provider: "second", status: 200 }
]

test("a call reports its attempts and the id of its record", async () => {
  const { first, options, reports, second, signalbox } = await start()
  first.script(fault.status(529))
  second.script(reply.chat("Yes."))
  const { id } = await signalbox.chat(request, options)
  expect(reports).toMatchObject([{ generationId: id, metadata: { attempt: 2, attempts } }])
})

test("a stream reports when its answer begins and when it has ended", async () => {
  const { first, options, reports, second, signalbox } = await start()
  const gate = second.gate()
  first.script(fault.status(529))
  second.script(reply.chat(["Yes", gate, "."]))
  const chunks = signalbox.streamChat(request, options)[Symbol.asyncIterator]()
  const { value } = await chunks.next()
  expect(reports).toMatchObject([
    { generationId: value?.id, metadata: { attempts: attempts.slice(0, 1) } }
  ])
  gate.open()
  while ((await chunks.next()).done !== true);
  expect(reports.slice(1)).toMatchObject([{ metadata: { attempts } }])
})

test("a call that fails reports before it throws", async () => {
  const { first, options, reports, second, signalbox } = await start()
  for (const each of [first, second]) each.always(fault.status(429, { retryAfter: 7 }))
  await expect(signalbox.chat(request, options)).rejects.toMatchObject({
    status: 429,
    headers: { "retry-after": "7" }
  })
  expect(reports).toMatchObject([
    { generationId: expect.stringMatching(/^gen-/), metadata: { attempt: 0 } }
  ])
})

test("a call that is refused before it is planned has nothing to report", async () => {
  const { options, reports, signalbox } = await start()
  const asking = signalbox.chat({ ...request, messages: [] }, options)
  await expect(asking).rejects.toMatchObject({ status: 400 })
  expect(reports).toEqual([{}])
})

test("a report of another type than a function is refused", async () => {
  const { signalbox } = await start()
  const options = { onRoute: "yes" as never }
  await expect(signalbox.chat(request, options)).rejects.toThrow("onRoute: expected a function")
})

test.each([
  ["decide", { metadata: { attempt: 1 } }],
  ["messages", { metadata: { attempt: 1 } }],
  ["responses", { metadata: { attempt: 1 } }],
  // The model cannot be used for them.
  ["embed", {}],
  ["rerank", {}]
] as const)("%s reports, too", async (operation, report) => {
  const { options, reports, signalbox } = await start()
  const model = "a/b"
  const state = "Is it calm?"
  const questions = { calm: { type: "noul", instructions: state } } as const
  const calls = {
    decide: () => signalbox.decide({ model, state, questions }, options),
    embed: () => signalbox.embed({ model, input: state }, options),
    rerank: () => signalbox.rerank({ model, query: state, documents: [state] }, options),
    messages: () => signalbox.messages({ ...request, max_tokens: 9 }, options),
    responses: () => signalbox.responses({ model, input: state }, options)
  }
  await calls[operation]().catch(() => undefined)
  expect(reports).toMatchObject([report])
})
