/** A fault of a provider of each dialect is answered by the next one, and both attempts are recorded. */
import { defaultAccountId, GenerationId } from "@signalbox/core"
import { GenerationStore } from "@signalbox/core/stores"
import { Signalbox } from "@signalbox/node"
import { fault, pace, reply, ScriptedUpstream, type Step } from "@signalbox/testing"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import Anthropic from "@anthropic-ai/sdk"
import OpenAI from "openai"
import { describe, expect, onTestFinished, test } from "vitest"
import { pickSample, pickScope } from "../../vitest.scope.ts"
import { everyFilter } from "../filters/everyFilter.ts"
import { nodeHost } from "../support/hosts.ts"
import { makeTestStores } from "../support/testStores.ts"
import { chatApi, type InboundApi, inboundApis } from "./InboundApi.ts"
import { makeDialectUpstream } from "./makeDialectUpstream.ts"
import { type ProviderDialect, providerDialects } from "./ProviderDialect.ts"

const memberKey = "sk-failover-member-0c41"

const toOptions = (slug: string) => ({ slug, name: slug, apiKey: `sk-failover-${slug}-77aa` })

const findNext = (dialect: ProviderDialect): ProviderDialect =>
  providerDialects[(providerDialects.indexOf(dialect) + 1) % providerDialects.length]!

/** A provider of this dialect, then one of the next. */
const start = async (
  api: InboundApi,
  dialect: ProviderDialect,
  { isFiltered = false, next = findNext(dialect) } = {}
) => {
  const first = await ScriptedUpstream.start()
  const second = await ScriptedUpstream.start()
  second.always(reply.chat(["All ", "is ", "calm."]))
  const price = { prompt: "0.000001", completion: "0.000002" }
  const instance = await Signalbox.make({
    ...makeTestStores(),
    upstreams: [
      makeDialectUpstream(dialect, first.url, toOptions("first")),
      makeDialectUpstream(next, second.url, toOptions("second"))
    ],
    models: [
      {
        id: "proof/model",
        endpoints: ["first", "second"].map((provider) => ({ provider, price }))
      }
    ],
    settings: {
      chatTimeoutMillis: 2_000,
      headersTimeoutMillis: 1_000,
      firstEventTimeoutMillis: 1_000
    },
    keys: [{ key: memberKey, kind: "member", user: "mem-1" }]
  })
  if (isFiltered) await instance.guardrails.update(everyFilter)
  const host = await nodeHost.start(instance, "")
  onTestFinished(async () => {
    await host.close()
    await instance.close()
    await Promise.all([first.close(), second.close()])
  })
  const clients = {
    makeClient: () =>
      new OpenAI({ apiKey: memberKey, baseURL: `${host.origin}/api/v1`, maxRetries: 0 }),
    makeAnthropicClient: () =>
      new Anthropic({ apiKey: memberKey, baseURL: `${host.origin}/api`, maxRetries: 0 })
  }
  const store = Context.get(instance.context, GenerationStore)
  return {
    first,
    second,
    ask: (isStreamed: boolean, parameters: { readonly n?: number } = {}) =>
      api.ask(
        clients,
        {
          model: "proof/model",
          ...api.toBody([{ role: "user", content: "Is it calm at sea? Tell ann@example.com." }]),
          provider: { order: ["first", "second"] },
          ...parameters
        },
        isStreamed
      ),
    findRecord: (id: string) =>
      Effect.runPromise(store.find(defaultAccountId, GenerationId.make(id)))
  }
}

interface Fault {
  readonly name: string
  readonly step: Step
  /** What the record says. */
  readonly outcome: string
  /** Default: both. */
  readonly form?: "streamed" | "whole"
}

const faults: ReadonlyArray<Fault> = [
  ...[
    [401, "credential_refused"],
    [403, "forbidden"],
    [404, "not_served"],
    [408, "timeout"],
    [409, "server_error"],
    [429, "rate_limited"],
    [500, "server_error"],
    [502, "server_error"],
    [503, "overloaded"],
    [529, "overloaded"]
  ].map(([status, outcome]) => ({
    name: `the status ${status}`,
    step: fault.status(Number(status)),
    outcome: String(outcome)
  })),
  { name: "an error in a 200", step: fault.errorInBody(502), outcome: "server_error" },
  {
    name: "an error as the first event",
    step: fault.errorEvent(502, []),
    outcome: "server_error",
    form: "streamed"
  },
  { name: "no JSON", step: fault.notJson(), outcome: "invalid_answer" },
  { name: "an empty body", step: fault.empty(), outcome: "invalid_answer" },
  {
    name: "a reset before the headers",
    step: fault.drop("request_body", reply.chat("All")),
    outcome: "unreachable"
  },
  {
    name: "a body shorter than declared",
    step: fault.truncated("length", reply.chat("All is calm.")),
    outcome: "unreachable",
    form: "whole"
  },
  {
    name: "silence",
    step: fault.silent("request_body", reply.chat("All")),
    outcome: "timeout"
  },
  {
    name: "an answer that comes too late",
    step: pace.delay(600_000),
    outcome: "timeout"
  }
]

const cases = faults.flatMap((each) =>
  (["whole", "streamed"] as const).flatMap((form) =>
    each.form === undefined || each.form === form ? [{ ...each, form }] : []
  )
)

/** In the full suite each with and without content filters, otherwise in turn. */
const pairs = inboundApis.flatMap((api, row) =>
  providerDialects.flatMap((dialect, column) => {
    const pair = { api, dialect, name: api.name }
    const isFiltered = (row + column) % 2 === 0
    return pickScope({ full: [true, false], sample: [isFiltered] }).map((isFiltered) => ({
      ...pair,
      isFiltered,
      prompt: isFiltered ? "Tell [EMAIL_1]." : "Tell ann@example.com."
    }))
  })
)

describe.each(pairs)(
  "a provider of the dialect $dialect, asked by $name (content filters: $isFiltered)",
  (pair) => {
    const { api, dialect, isFiltered, prompt } = pair
    test.each(pickSample(cases, api === chatApi ? 14 : 4))(
      "that fails with $name is followed by the next, $form",
      async ({ form, outcome, step }) => {
        const { ask, findRecord, first, second } = await start(api, dialect, { isFiltered })
        first.script(step)
        const answer = await ask(form === "streamed")
        expect(answer).toMatchObject({ content: "All is calm.", finish: "stop" })
        await expect.poll(() => findRecord(answer.id ?? "")).toBeDefined()
        const record = await findRecord(answer.id ?? "")
        expect(record?.attempts).toMatchObject([
          { provider: "first", outcome },
          { provider: "second", outcome: "served" }
        ])
        expect(first.requests).toHaveLength(1)
        expect(second.requests).toHaveLength(1)
        for (const { raw } of [...first.requests, ...second.requests]) expect(raw).toContain(prompt)
      }
    )

    test("that fails after some text ends the answer, and no other is asked", async () => {
      const { ask, findRecord, first, second } = await start(api, dialect, { isFiltered })
      first.script(fault.errorEvent(502, ["All ", "is "]))
      const answer = await ask(true)
      expect(answer).toMatchObject({ content: "All is ", error: { code: 502 } })
      await expect.poll(() => findRecord(answer.id ?? "")).toBeDefined()
      const record = await findRecord(answer.id ?? "")
      expect(record?.attempts).toMatchObject([{ provider: "first", outcome: "server_error" }])
      expect(record?.cost).toBe(record?.attempts[0]?.cost)
      expect([first.requests.length, second.requests.length]).toEqual([1, 0])
    })

    test("that refuses the request itself ends it", async () => {
      const { ask, first, second } = await start(api, dialect, { isFiltered })
      first.script(fault.status(400, { message: "temperature is out of range" }))
      expect(await ask(false)).toMatchObject({ error: { code: 400 } })
      expect([first.requests.length, second.requests.length]).toEqual([1, 0])
    })
  }
)

describe.each(["messages", "responses"] as const)("a provider of the dialect %s", (dialect) => {
  test("is not asked for several answers, which the next gives", async () => {
    const { ask, findRecord, first, second } = await start(chatApi, dialect, { next: "chat" })
    const { id } = await ask(false, { n: 2 })
    await expect.poll(() => findRecord(id ?? "")).toBeDefined()
    expect((await findRecord(id ?? ""))?.attempts).toMatchObject([
      { provider: "first", outcome: "unsupported_parameter" },
      { provider: "second", outcome: "served" }
    ])
    expect(first.requests).toHaveLength(0)
    expect(second.requests).toMatchObject([{ body: { n: 2 } }])
  })
})
