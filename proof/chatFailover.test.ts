import { defaultAccountId } from "@signalbox/core"
import { Ledger } from "@signalbox/core/adapter"
import { fault, reply } from "@signalbox/testing"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { describe, expect, test } from "vitest"
import type { Answer } from "./Answer.ts"
import { type ChatSituation, chatSilences, chatSituations, type Form } from "./chatSituations.ts"
import { callerGone } from "./callerGone.ts"
import { chatEventsIn } from "./chatEventsIn.ts"
import { metFailure } from "./metFailure.ts"
import { property } from "./property.ts"
import { send, type Sending } from "./send.ts"
import { keys, slugs, Stage } from "./Stage.ts"
import { type Way, ways } from "./ways.ts"

/** Both packages that speak to chat endpoints. */
const asking = ways.slice(0, 2)
const nameOfWay = new Map([
  ["native", "openrouter"],
  ["logprobs", "openai"]
])
const forms: ReadonlyArray<Form> = ["whole", "streamed"]

interface Trial {
  readonly situation: ChatSituation
  readonly way: Way
  readonly form: Form
  /** Whether a healthy provider comes next. */
  readonly isAlone: boolean
}

/** In nano-USD a token: 1,000 of prompt, 2,000 of the answer. */
const scene = {
  price: { prompt: "0.000001", completion: "0.000002" },
  credits: { default: "1000" }
} as const

const usage = { inputTokens: 10, outputTokens: 3 }
const paid = 16_000n

const asked = (form: Form, isAlone: boolean): string =>
  JSON.stringify({
    model: "proof/model",
    messages: [{ role: "user", content: "Is it calm at sea?" }],
    max_tokens: 100,
    provider: isAlone ? { only: ["first"] } : { order: slugs },
    stream: form === "streamed"
  })

const ask = ({ root }: Stage, body: string, sending: Sending = {}): Promise<Answer> =>
  send(`${root}/api/v1/chat/completions`, {
    body,
    headers: {
      authorization: `Bearer ${keys.member}`,
      "content-type": "application/json",
      "X-OpenRouter-Metadata": "enabled"
    },
    ...sending
  })

const open = async ({ form, situation, way }: Pick<Trial, "form" | "situation" | "way">) => {
  const { scene: own, step } = situation
  const stage = await Stage.open({ ...scene, ...own, way })
  const { first, second } = stage.upstreams
  if (step !== undefined) first.always(step)
  second.always(reply.chat(["All ", "is ", "well."], { usage }))
  return { stage, first, second, form }
}

const creditsOf = async ({ box }: Stage) => {
  const credits = await Effect.runPromise(
    Context.get(box.context, Ledger).credits(defaultAccountId)
  )
  return { settled: nano(credits?.settled), reserved: nano(credits?.reserved) }
}

const nano = (value: bigint | undefined): bigint | undefined => value

/** What an answer says, in whichever form it comes. */
const readIn = (answer: Answer) => {
  const type = answer.headers["content-type"] ?? ""
  const { chunks, isDone } = type.startsWith("text/event-stream")
    ? chatEventsIn(answer.text)
    : { chunks: [answer.body], isDone: answer.status === 200 }
  const choices = chunks.flatMap(choicesOf)
  return {
    text: choices.map(contentOf).join(""),
    provider: property(chunks[0], "provider"),
    last: chunks.at(-1),
    reason: property(choices.at(-1), "finish_reason"),
    isDone
  }
}

const contentOf = (choice: unknown): string => {
  const content = property(property(choice, "delta") ?? property(choice, "message"), "content")
  return typeof content === "string" ? content : ""
}

const choicesOf = (chunk: unknown): ReadonlyArray<unknown> => {
  const choices = property(chunk, "choices")
  return Array.isArray(choices) ? choices : []
}

/** All there is to see of one request in a situation. */
const play = async (trial: Trial) => {
  const { form, isAlone, situation } = trial
  const { first, stage } = await open(trial)
  await using _ = stage
  const answer = await ask(stage, asked(form, isAlone))
  const isSilent = chatSilences.includes(situation)
  if (isSilent) await first.aborted(1)
  const { isDone, last, provider, reason, text } = readIn(answer)
  const error = property(last, "error")
  const told = property(last, "service_metadata")
  const health = (await stage.box.health()).endpoints
  return {
    status: answer.status,
    retryAfter: answer.headers["retry-after"],
    provider,
    text,
    isDone,
    reason,
    code: property(error, "code"),
    message: property(error, "message"),
    failures: property(property(error, "metadata"), "previous_errors"),
    winner: property(told, "attempt"),
    attempts: property(told, "attempts"),
    recorded: (await stage.generation(answer.headers["x-generation-id"]))?.attempts.map(
      ({ outcome, provider }) => [provider, outcome]
    ),
    calls: stage.calls,
    credits: await creditsOf(stage),
    blamed: Object.entries(health).map(([endpoint, { errors }]) => [endpoint, errors]),
    logs: stage.logs
  }
}

/** They say nothing about the endpoint. */
const blamelessKinds: ReadonlySet<string> = new Set(["bad_request", "context_length", "forbidden"])

/** About four bytes a token. */
const promptTokens = (body: string): number => Math.ceil(Buffer.byteLength(body) / 4)

const expectedOf = ({ form, isAlone, situation, way }: Trial): Awaited<ReturnType<typeof play>> => {
  const { alone, charged, isFinal = false, kind, said } = situation
  const { passed, stopped } = metFailure(situation, way)
  const blame = blamelessKinds.has(kind)
    ? []
    : [["proof/model@first", kind === "rate_limited" ? {} : { [kind]: 1 }]]
  const hasBegun = said !== undefined
  // It was asked, and may be at work.
  const prompt = promptTokens(asked(form, isAlone))
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
      text: said?.join("") ?? "",
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

const cases = asking.flatMap((way) =>
  forms.map((form) => ({ way, form, name: `${form}, by ${nameOfWay.get(way.name)}` }))
)

describe.each(cases)("a chat, $name", ({ form, way }) => {
  const possible = chatSituations.filter(({ form: only = form }) => only === form)

  test.each(possible)("$name", async (situation) => {
    for (const isAlone of [false, true]) {
      const trial = { situation, way, form, isAlone }
      expect(await play(trial)).toEqual(expectedOf(trial))
    }
  })

  test.each([
    ["the model", fault.refusal(), "stop"],
    ["a filter", fault.refusal("filter"), "content_filter"]
  ] as const)("15. a refusal of %s is an answer, and is paid", async (_, step, reason) => {
    const situation = { name: "15.", kind: "content_refused", alone: 400, step } as const
    await using stage = (await open({ situation, way, form })).stage
    const answer = await ask(stage, asked(form, false))
    expect(answer.status).toBe(200)
    expect(readIn(answer)).toMatchObject({ provider: "First", reason, isDone: true })
    expect(stage.calls).toEqual({ first: 1, second: 0 })
    const record = await stage.generation(answer.headers["x-generation-id"])
    expect(record?.attempts).toMatchObject([{ provider: "First", outcome: "served" }])
    expect(await creditsOf(stage)).toEqual({ settled: record?.cost, reserved: 0n })
    expect(record?.cost).toBeGreaterThan(0n)
  })

  callerGone({
    open: () => Stage.open({ ...scene, way }),
    ask: (stage, sending) => ask(stage, asked(form, false), sending),
    settled: (stage) =>
      expect.poll(() => creditsOf(stage)).toEqual({ settled: expect.anything(), reserved: 0n })
  })
})

test("4, 5 and 6: whoever falls silent is given up at its deadline", async () => {
  const trials = asking.flatMap((way) =>
    chatSilences.flatMap((situation) =>
      [true, false].map((isAlone): Trial => ({
        situation,
        way,
        isAlone,
        form: situation.form ?? "whole"
      }))
    )
  )
  // Real time passes here, for all at once.
  expect(await Promise.all(trials.map(play))).toEqual(trials.map(expectedOf))
})
