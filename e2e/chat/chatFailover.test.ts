import { fault, reply } from "@signalbox/testing"
import { describe, expect, test } from "vitest"
import type { HttpResponse } from "../support/HttpResponse.ts"
import {
  type ChatFailoverScenario,
  chatTimeoutScenarios,
  chatFailoverScenarios,
  type ResponseForm
} from "./chatFailoverScenarios.ts"
import { testClientDisconnect } from "../support/testClientDisconnect.ts"
import { parseChatEvents } from "../support/parseChatEvents.ts"
import { toExpectedFailure } from "../routing/toExpectedFailure.ts"
import { findCredits } from "../support/findCredits.ts"
import { getProperty } from "../support/getProperty.ts"
import { send, type SendOptions } from "../support/send.ts"
import { cachingAll, keys, slugs, TestServer } from "../support/TestServer.ts"
import { type DecisionMethod, decisionMethods } from "../support/decisionMethods.ts"

/** The chat methods of both upstream packages. */
const chatMethods = decisionMethods.slice(0, 2)
const methodNames = new Map([
  ["native", "openrouter"],
  ["logprobs", "openai"]
])
const forms: ReadonlyArray<ResponseForm> = ["whole", "streamed"]

interface FailoverCase {
  readonly scenario: ChatFailoverScenario
  readonly method: DecisionMethod
  readonly form: ResponseForm
  /** Whether there is no healthy provider to fall back to. */
  readonly isAlone: boolean
  /** Whether every request uses the cache of responses. */
  readonly isCached?: boolean
}

/** A prompt token costs 1,000 nano-USD, an output token 2,000. */
const serverOptions = {
  price: { prompt: "0.000001", completion: "0.000002" },
  credits: { default: "1000" }
} as const

const usage = { inputTokens: 10, outputTokens: 3 }
const paid = 16_000n

const makeRequestBody = (form: ResponseForm, isAlone: boolean): string =>
  JSON.stringify({
    model: "proof/model",
    messages: [{ role: "user", content: "Is it calm at sea?" }],
    max_tokens: 100,
    provider: isAlone ? { only: ["first"] } : { order: slugs },
    stream: form === "streamed"
  })

const ask = (
  { root }: TestServer,
  body: string,
  sending: SendOptions = {}
): Promise<HttpResponse> =>
  send(`${root}/api/v1/chat/completions`, {
    body,
    headers: {
      authorization: `Bearer ${keys.member}`,
      "content-type": "application/json",
      "X-OpenRouter-Metadata": "enabled"
    },
    ...sending
  })

const open = async ({
  form,
  isCached = false,
  scenario,
  method
}: Pick<FailoverCase, "form" | "isCached" | "scenario" | "method">) => {
  const { server: own, step } = scenario
  const options = { ...serverOptions, ...own, ...(isCached ? cachingAll : undefined), method }
  const server = await TestServer.start(options)
  const { first, second } = server.upstreams
  if (step !== undefined) first.always(step)
  second.always(reply.chat(["All ", "is ", "well."], { usage }))
  return { server, first, second, form }
}

/** Parses a whole or a streamed answer. */
const parseAnswer = (answer: HttpResponse) => {
  const type = answer.headers["content-type"] ?? ""
  const { chunks, isDone } = type.startsWith("text/event-stream")
    ? parseChatEvents(answer.text)
    : { chunks: [answer.body], isDone: answer.status === 200 }
  const choices = chunks.flatMap(getChoices)
  return {
    text: choices.map(getContent).join(""),
    provider: getProperty(chunks[0], "provider"),
    last: chunks.at(-1),
    reason: getProperty(choices.at(-1), "finish_reason"),
    isDone
  }
}

const getContent = (choice: unknown): string => {
  const content = getProperty(
    getProperty(choice, "delta") ?? getProperty(choice, "message"),
    "content"
  )
  return typeof content === "string" ? content : ""
}

const getChoices = (chunk: unknown): ReadonlyArray<unknown> => {
  const choices = getProperty(chunk, "choices")
  return Array.isArray(choices) ? choices : []
}

/** Runs one request in a scenario and collects everything observable. */
const run = async (trial: FailoverCase) => {
  const { form, isAlone, scenario } = trial
  const { first, server } = await open(trial)
  await using _ = server
  const answer = await ask(server, makeRequestBody(form, isAlone))
  const isSilent = chatTimeoutScenarios.includes(scenario)
  if (isSilent) await first.waitForAborts(1)
  const { isDone, last, provider, reason, text } = parseAnswer(answer)
  const error = getProperty(last, "error")
  const received = getProperty(last, "service_metadata")
  const health = (await server.instance.health()).endpoints
  return {
    status: answer.status,
    retryAfter: answer.headers["retry-after"],
    provider,
    text,
    isDone,
    reason,
    code: getProperty(error, "code"),
    message: getProperty(error, "message"),
    failures: getProperty(getProperty(error, "metadata"), "previous_errors"),
    winner: getProperty(received, "attempt"),
    attempts: getProperty(received, "attempts"),
    recorded: (await server.generation(answer.headers["x-generation-id"]))?.attempts.map(
      ({ outcome, provider }) => [provider, outcome]
    ),
    calls: server.calls,
    credits: await findCredits(server.instance),
    blamed: Object.entries(health).map(([endpoint, { errors }]) => [endpoint, errors]),
    logs: server.logs
  }
}

/** Errors that do not count against the endpoint. */
const blamelessKinds: ReadonlySet<string> = new Set(["bad_request", "context_length", "forbidden"])

/** Estimates four bytes per token. */
const promptTokens = (body: string): number => Math.ceil(Buffer.byteLength(body) / 4)

const toExpected = ({
  form,
  isAlone,
  scenario,
  method
}: FailoverCase): Awaited<ReturnType<typeof run>> => {
  const { alone, charged, isFinal = false, kind, deliveredContent } = scenario
  const { passed, stopped } = toExpectedFailure(scenario, method)
  const blame = blamelessKinds.has(kind)
    ? []
    : [["proof/model@first", kind === "rate_limited" ? {} : { [kind]: 1 }]]
  const hasBegun = deliveredContent !== undefined
  // A provider that times out may still bill the prompt.
  const prompt = promptTokens(makeRequestBody(form, isAlone))
  const left = kind === "timeout" && !hasBegun ? prompt : 0
  if (isAlone || isFinal || hasBegun) {
    const { inputTokens, outputTokens } =
      typeof charged === "number"
        ? { inputTokens: prompt, outputTokens: charged }
        : (charged ?? { inputTokens: left, outputTokens: 0 })
    const settled = BigInt(inputTokens * 1_000 + outputTokens * 2_000)
    return {
      ...stopped,
      ...(hasBegun ? { status: 200, provider: "First" } : undefined),
      text: deliveredContent?.join("") ?? "",
      isDone: false,
      reason: hasBegun ? "error" : undefined,
      code: alone,
      credits: { settled, reserved: 0n },
      blamed: blame
    }
  }
  return {
    ...passed,
    text: "All is well.",
    isDone: true,
    reason: "stop",
    code: undefined,
    credits: { settled: paid + BigInt(left * 1_000), reserved: 0n },
    blamed: [...blame, ["proof/model@second", {}]]
  }
}

const cases = [
  ...chatMethods.flatMap((method) =>
    forms.map((form) => ({
      method,
      form,
      isCached: false,
      name: `${form}, by ${methodNames.get(method.name)}`
    }))
  ),
  ...forms.map((form) => ({
    method: chatMethods[1]!,
    form,
    isCached: true,
    name: `${form}, with the cache of responses`
  }))
]

describe.each(cases)("failover of a chat, $name", ({ form, isCached, method }) => {
  const possible = chatFailoverScenarios.filter(({ form: only = form }) => only === form)

  test.each(possible)("$name", async (scenario) => {
    for (const isAlone of [false, true]) {
      const trial = { scenario, method, form, isAlone, isCached }
      expect(await run(trial)).toEqual(toExpected(trial))
    }
  })

  test.each([
    ["the model", fault.refusal(), "stop"],
    ["a filter", fault.refusal("filter"), "content_filter"]
  ] as const)("15. a refusal by %s is a billed answer", async (_, step, reason) => {
    const scenario = { name: "15.", kind: "content_refused", alone: 400, step } as const
    await using server = (await open({ scenario, method, form, isCached })).server
    const answer = await ask(server, makeRequestBody(form, false))
    expect(answer.status).toBe(200)
    expect(parseAnswer(answer)).toMatchObject({ provider: "First", reason, isDone: true })
    expect(server.calls).toEqual({ first: 1, second: 0 })
    const record = await server.generation(answer.headers["x-generation-id"])
    expect(record?.attempts).toMatchObject([{ provider: "First", outcome: "served" }])
    expect(await findCredits(server.instance)).toEqual({ settled: record?.cost, reserved: 0n })
    expect(record?.cost).toBeGreaterThan(0n)
  })

  testClientDisconnect({
    open: () =>
      TestServer.start({ ...serverOptions, ...(isCached ? cachingAll : undefined), method }),
    request: (server, sending) => ask(server, makeRequestBody(form, false), sending),
    settled: (server) =>
      expect
        .poll(() => findCredits(server.instance))
        .toEqual({ settled: expect.anything(), reserved: 0n })
  })
})

test("4, 5 and 6: a silent provider times out", async () => {
  const trials = chatMethods.flatMap((method) =>
    chatTimeoutScenarios.flatMap((scenario) =>
      [true, false].map((isAlone): FailoverCase => ({
        scenario,
        method,
        isAlone,
        form: scenario.form ?? "whole"
      }))
    )
  )
  // The timeouts pass in real time, so all trials run concurrently.
  expect(await Promise.all(trials.map(run))).toEqual(trials.map(toExpected))
})
