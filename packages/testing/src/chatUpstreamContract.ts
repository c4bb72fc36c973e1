/** A test suite for upstreams with chats. */
import type { SettingsShape } from "@signalbox/core"
import {
  type ChatCapability,
  type ChatEvent,
  Settings,
  toStream,
  type Upstream,
  type UpstreamFailure
} from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import type * as HttpClient from "effect/http/HttpClient"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import type * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect, test } from "vitest"
import {
  chatContractDialects,
  type ChatContractDialectName
} from "./chatContract/chatContractDialects.ts"
import {
  type ChatHarness,
  collectStream,
  getAnswerEvents,
  getFailure,
  makeCall,
  makeTextDelta,
  toText
} from "./chatContract/ChatHarness.ts"
import { testChatDialect } from "./chatContract/testChatDialect.ts"
import { testSamples } from "./chatContract/testSamples.ts"
import { testTranslation } from "./chatContract/testTranslation.ts"
import * as fault from "./fault.ts"
import * as pace from "./pace.ts"
import { registerNothing } from "./registerNothing.ts"
import * as reply from "./reply.ts"
import { ScriptedUpstream } from "./ScriptedUpstream.ts"
import type { Step } from "./Step.ts"

export interface ChatUpstreamContractOptions {
  /** Whether the cost of a call is the one that the usage reports, in USD. */
  readonly reportsCost?: boolean
  /** The HTTP client; default: `fetch`. */
  readonly client?: Layer.Layer<HttpClient.HttpClient>
  /** The provider's API; default: `chat`, which is OpenAI's. */
  readonly dialect?: ChatContractDialectName
  /** The model's name at the provider, for an upstream that tells APIs apart by it; default: `contract/model`. */
  readonly model?: string
  /** The header of the key; default: `authorization`, with `Bearer`. */
  readonly keyHeader?: string
  /**
   * Whether a library sends the requests and reads the answers, such as one of a provider. Then nothing is asserted about
   * what the library may not show: the fields and the events of the provider's API, several answers, logprobs, keys in
   * answers, and when headers arrive. Default false.
   */
  readonly usesLibrary?: boolean
}

/**
 * Runs the suite against the upstream that `make` builds for a provider at `url` (the root of a
 * `ScriptedUpstream`).
 *
 * ```ts no-run
 * chatUpstreamContract("mine", (url) => mine({ baseUrl: url }))
 * ```
 */
export const chatUpstreamContract = (
  name: string,
  make: (url: string) => Upstream,
  {
    client = FetchHttpClient.layer,
    dialect = "chat",
    keyHeader,
    model = "contract/model",
    reportsCost = false,
    usesLibrary = false
  }: ChatUpstreamContractOptions = {}
): void => {
  const call = makeCall(model)
  const testOfOurs = usesLibrary ? registerNothing : test
  const {
    errors,
    finishesLast,
    needsEndMarker,
    hasSamples,
    isChat,
    nativeReasons,
    nest,
    noArguments,
    nonsense,
    one,
    say,
    slowDown,
    saysWholeCalls,
    tellsTier,
    tellsTierEarly
  } = chatContractDialects[dialect]
  const native = (reason: string) => {
    const nativeReason = nativeReasons[reason]
    return nativeReason === undefined ? {} : { nativeReason }
  }
  const makeEnd = (reason: string): ChatEvent => ({
    type: "delta",
    choices: [{ index: 0, events: [], end: { reason, ...native(reason) } }]
  })
  /** What the provider reports of the whole answer, and of each piece. */
  const { serviceTier } = responseMarkers
  const served = isChat ? responseMarkers : tellsTier ? { serviceTier } : {}
  const servedPiece = tellsTierEarly ? served : {}
  const chatAt = (url: string): ChatCapability => {
    const { chat } = make(url)
    if (chat === undefined) throw new Error(`${name} does not chat`)
    return chat
  }
  const run = <A>(effect: Effect.Effect<A, UpstreamFailure, HttpClient.HttpClient>): Promise<A> =>
    Effect.runPromise(Effect.provide(effect, client))
  /** A provider, and the capability that calls it. */
  const start = async (settings: Partial<SettingsShape> = {}): Promise<ChatHarness> => {
    const provider = await ScriptedUpstream.start()
    const chat = chatAt(provider.url)
    const shape = { ...Effect.runSync(Settings), ...settings }
    const complete = (request = call) =>
      run(Effect.provideService(Effect.result(chat.complete(request)), Settings, shape))
    const stream = (request = call) =>
      run(Effect.provideService(collectStream(toStream(chat.stream(request))), Settings, shape))
    return { provider, chat, call, complete, stream, [Symbol.asyncDispose]: () => provider.close() }
  }

  describe(`${name} as an upstream of chats`, () => {
    testOfOurs("answers without streaming, with model and usage", async () => {
      await using instance = await start()
      instance.provider.always(
        reply.chat("All is well.", {
          model: "contract/model-20300101",
          id: "chatcmpl-7",
          ...responseMarkers,
          usage: { inputTokens: 11, outputTokens: 4 },
          usageDetails: { prompt_tokens_details: { cached_tokens: 7 } }
        })
      )
      expect(Result.getOrThrow(await instance.complete())).toEqual({
        choices: [
          {
            index: 0,
            answer: {
              parts: [{ type: "text", text: "All is well." }],
              end: { reason: "stop", ...native("stop") }
            },
            ...(isChat
              ? { native: { role: "assistant", content: "All is well.", refusal: null } }
              : undefined)
          }
        ],
        id: "chatcmpl-7",
        model: "contract/model-20300101",
        ...served,
        usage: { inputTokens: 11, outputTokens: 4, cachedTokens: 7 },
        usageDetails: { prompt_tokens_details: { cached_tokens: 7 } }
      })
      expect(instance.provider.requests).toHaveLength(1)
    })

    testOfOurs("streams an answer, with model and usage at the end", async () => {
      await using instance = await start()
      instance.provider.always(
        reply.chat(["All ", "is ", "wéll 🎬."], {
          model: "contract/model-20300101",
          id: "chatcmpl-7",
          ...responseMarkers,
          usage: { inputTokens: 11, outputTokens: 4 },
          usageDetails: { completion_tokens_details: { reasoning_tokens: 2 } }
        })
      )
      const { events, failure } = await instance.stream()
      expect(failure).toBeUndefined()
      expect(events).toEqual([
        { ...makeTextDelta("All "), ...servedPiece },
        { ...makeTextDelta("is "), ...servedPiece },
        { ...makeTextDelta("wéll 🎬."), ...servedPiece },
        { ...makeEnd("stop"), ...servedPiece },
        {
          type: "end",
          id: "chatcmpl-7",
          model: "contract/model-20300101",
          ...served,
          usage: { inputTokens: 11, outputTokens: 4, reasoningTokens: 2 },
          usageDetails: { completion_tokens_details: { reasoning_tokens: 2 } }
        }
      ])
      expect(instance.provider.requests).toHaveLength(1)
    })

    test("emits each piece at once, and none for the role", async () => {
      await using instance = await start()
      const [first, second] = [instance.provider.gate(), instance.provider.gate()]
      instance.provider.always(reply.chat([first, "one ", second, "two"]))
      const seen: Array<ChatEvent> = []
      const running = run(
        Stream.runForEach(toStream(instance.chat.stream(call)), (event) =>
          Effect.sync(() => seen.push(event))
        )
      )
      await instance.provider.waitForRequests(1)
      expect(seen).toEqual([])
      first.open()
      await expect.poll(() => seen).toEqual([makeTextDelta("one ")])
      second.open()
      await running
      expect(toText(seen)).toBe("one two")
    })

    testOfOurs("passes on reasoning and tool calls", async () => {
      await using instance = await start()
      const lookup = { id: "call_1", name: "look_up", arguments: '{"word":"lighthouse keeper"}' }
      const halt = { id: "call_2", name: "halt", arguments: "" }
      instance.provider.always(reply.chat([], { reasoning: "Hm. ", toolCalls: [lookup, halt] }))
      const [choice] = Result.getOrThrow(await instance.complete()).choices
      expect(choice?.answer.end.reason).toBe("tool_calls")
      // A thought that is encrypted as well may be a part of its own.
      const readable = choice?.answer.parts.filter(
        (part) => part.type !== "reasoning" || part.text !== undefined
      )
      expect(readable).toMatchObject([
        { type: "reasoning", text: "Hm. " },
        { type: "call", id: "call_1", name: "look_up", arguments: lookup.arguments },
        { type: "call", id: "call_2", name: "halt", arguments: noArguments }
      ])
      const { events } = await instance.stream()
      const said = getAnswerEvents(events)
      const first = said.find((event) => event.type === "call")
      expect(said[0]).toMatchObject({ type: "thought", text: "Hm. " })
      expect(first).toMatchObject({
        call: { id: "call_1", name: "look_up", isCustom: false },
        text: saysWholeCalls ? lookup.arguments : ""
      })
      expect(toArguments(events, "call_1")).toBe(lookup.arguments)
      expect(toArguments(events, "call_2")).toBe(noArguments)
      // The end may come with the arguments of a call that has no arguments.
      expect(events.at(-2)).toMatchObject({ choices: [{ end: { reason: "tool_calls" } }] })
    })

    if (!usesLibrary) {
      if (isChat) testChatDialect(start)
      else testTranslation(start)
      if (hasSamples) testSamples(start, makeEnd)
    }

    test("uses the reported cost if the upstream says so", async () => {
      await using instance = await start()
      instance.provider.always(reply.chat("So much.", { cost: 0.000_012 }))
      const cost = reportsCost ? 12_000n : undefined
      expect(Result.getOrThrow(await instance.complete()).cost).toBe(cost)
      const end = (await instance.stream()).events.at(-1)
      expect(end?.type === "end" ? end.cost : "no end").toBe(cost)
    })

    const refusals: ReadonlyArray<readonly [number, string]> = [
      [400, "bad_request"],
      [401, "credential_refused"],
      [402, "credential_refused"],
      [403, "forbidden"],
      [404, "not_served"],
      [429, "rate_limited"],
      [500, "server_error"],
      [502, "server_error"],
      [503, "overloaded"],
      [529, "overloaded"],
      [504, "timeout"]
    ]
    test.each(refusals)("fails after one attempt on a %i: %s", async (status, kind) => {
      await using instance = await start()
      instance.provider.always(fault.status(status, { retryAfter: 7 }))
      const refused = { kind, status, retryAfterMillis: 7_000 }
      expect(getFailure(await instance.complete())).toMatchObject(refused)
      expect(await instance.stream()).toMatchObject({ events: [], failure: refused })
      expect(instance.provider.requests).toHaveLength(2)
    })

    test("distinguishes a too long conversation from an invalid request", async () => {
      await using instance = await start()
      instance.provider.always(fault.status(400, { kind: "context_length_exceeded" }))
      expect(getFailure(await instance.complete()).kind).toBe("context_length")
      expect((await instance.stream()).failure?.kind).toBe("context_length")
    })

    test("reports a refused connection as not connected", async () => {
      const chat = chatAt(await ScriptedUpstream.reserveRefusingUrl())
      const refused = { kind: "unreachable", phase: "connect" }
      expect(getFailure(await run(Effect.result(chat.complete(call))))).toMatchObject(refused)
      expect((await run(collectStream(toStream(chat.stream(call))))).failure).toMatchObject(refused)
    })

    const cuts: ReadonlyArray<readonly [string, Step]> = [
      ["the request is read", fault.drop("request_body")],
      ["the answer's headers are sent", fault.drop("response_headers")],
      ["half of the answer is sent", fault.truncated("chunked")]
    ]
    test.each(cuts)("fails if the connection is lost after %s", async (_, cut) => {
      await using instance = await start()
      instance.provider.always(cut)
      expect(getFailure(await instance.complete()).kind).toBe("unreachable")
      const { events, failure } = await instance.stream()
      expect(failure?.kind).toBe("unreachable")
      expect(events.filter(({ type }) => type === "end")).toEqual([])
      expect(instance.provider.requests).toHaveLength(2)
    })

    test("emits the events before the connection is lost, then fails", async () => {
      await using instance = await start()
      const gate = instance.provider.gate()
      const step = fault.drop("response_body", reply.chat(["one ", "two ", "three"]))
      instance.provider.always(pace.hold(gate, "response_body", step))
      const seen: Array<ChatEvent> = []
      const running = run(
        collectStream(
          Stream.tap(toStream(instance.chat.stream(call)), (event) =>
            Effect.sync(() => seen.push(event))
          )
        )
      )
      await expect.poll(() => toText(seen)).toBe("one two ")
      gate.open()
      expect(await running).toMatchObject({ failure: { kind: "unreachable", phase: "body" } })
      expect(toText(seen)).toBe("one two ")
    })

    testOfOurs(
      "is complete with the end of a stream only if the API has no end marker",
      async () => {
        await using instance = await start()
        instance.provider.always(reply.chat(["All ", "is "], { done: false }))
        const { events, failure } = await instance.stream()
        expect(failure).toBeUndefined()
        expect(events.filter(({ type }) => type === "delta")).toEqual([
          makeTextDelta("All "),
          makeTextDelta("is "),
          ...(finishesLast ? [] : [makeEnd("stop")])
        ])
        expect(events.some(({ type }) => type === "end")).toBe(!needsEndMarker)
      }
    )

    testOfOurs("is broken off if a stream ends without a finish reason", async () => {
      await using instance = await start()
      instance.provider.always(reply.events(one))
      const { events, failure } = await instance.stream()
      expect(failure).toBeUndefined()
      expect(events).toEqual([makeTextDelta("one")])
    })

    test.each(errors)(
      "maps an error with the code %s inside an answer to a failure: %s",
      async (code, kind) => {
        await using instance = await start()
        instance.provider.always(fault.errorEvent(code, ["All ", "is "], "x".repeat(9_999)))
        expect(getFailure(await instance.complete()).kind).toBe(kind)
        const { events, failure } = await instance.stream()
        expect(toText(events)).toBe("All is ")
        expect(failure?.kind).toBe(kind)
        expect(failure?.detail).toHaveLength(500)
      }
    )

    testOfOurs("maps an error instead of the first piece to a failure", async () => {
      await using instance = await start()
      instance.provider.script(
        fault.errorEvent(503, []),
        reply.events([{ event: "error", data: { message: "out of luck" } }]),
        slowDown,
        slowDown
      )
      expect(await instance.stream()).toMatchObject({ events: [], failure: { kind: "overloaded" } })
      expect(await instance.stream()).toMatchObject({
        events: [],
        failure: { kind: "server_error", detail: "out of luck" }
      })
      const busy = { kind: "rate_limited", detail: "slow down" }
      expect(await instance.stream()).toMatchObject({ events: [], failure: busy })
      expect(getFailure(await instance.complete())).toMatchObject(busy)
    })

    const noAnswers: ReadonlyArray<readonly [string, Step]> = [
      ["no JSON", fault.notJson()],
      ["nothing", fault.empty()],
      ["JSON of another shape", reply.json({ hello: "world" })],
      ...nonsense,
      ["events that are not JSON", reply.events([{ data: "{" }, { data: "[DONE]" }])],
      ["events that are not objects", reply.events([{ data: "7" }, { data: "[DONE]" }])]
    ]
    test.each(noAnswers)("maps %s to an invalid answer", async (_, step) => {
      await using instance = await start()
      instance.provider.always(step)
      expect(getFailure(await instance.complete()).kind).toBe("invalid_answer")
      expect(await instance.stream()).toMatchObject({
        events: [],
        failure: { kind: "invalid_answer" }
      })
    })

    test("emits the events before one that is not JSON", async () => {
      await using instance = await start()
      instance.provider.always(reply.events([...one, { data: "<html>" }]))
      expect(await instance.stream()).toMatchObject({
        events: [makeTextDelta("one")],
        failure: { kind: "invalid_answer" }
      })
    })

    test("rejects an event above the size limit, and accepts any number of smaller ones", async () => {
      await using instance = await start({ maxUpstreamBodyBytes: 20_000 })
      const pieces = Array.from({ length: 100 }, () => "x".repeat(1_000))
      const huge = ["small ", "y".repeat(500_000), instance.provider.gate()]
      instance.provider.script(reply.chat(pieces), reply.chat(huge))
      expect(toText((await instance.stream()).events)).toBe(pieces.join(""))
      const { events, failure } = await instance.stream()
      expect(toText(events)).toBe("small ")
      expect(failure?.kind).toBe("invalid_answer")
      await instance.provider.waitForAborts(1)
    })

    test("rejects content that is nested too deeply to serialize", async () => {
      await using instance = await start()
      const { event, whole } = nest(nested)
      instance.provider.script(
        reply.raw(whole, { headers: { "content-type": "application/json" } }),
        reply.events([{ data: event }])
      )
      expect(getFailure(await instance.complete()).kind).toBe("invalid_answer")
      expect(await instance.stream()).toMatchObject({
        events: [],
        failure: { kind: "invalid_answer" }
      })
    })

    testOfOurs("limits the wait for headers", async () => {
      await using instance = await start()
      instance.provider.always(fault.silent())
      const { headersTimeoutMillis } = Effect.runSync(Settings)
      /** The clock moves only when the provider has the request. */
      const runLate = <A>(
        effect: Effect.Effect<A, UpstreamFailure, HttpClient.HttpClient>,
        requests: number
      ): Promise<A> =>
        run(
          Effect.gen(function* () {
            const fiber = yield* Effect.forkChild(effect)
            yield* Effect.promise(() => instance.provider.waitForRequests(requests))
            yield* TestClock.adjust(headersTimeoutMillis)
            return yield* Fiber.join(fiber)
          }).pipe(Effect.provide(TestClock.layer()))
        )
      const late = { kind: "timeout", phase: "headers" }
      const whole = await runLate(Effect.result(instance.chat.complete(call)), 1)
      expect(getFailure(whole)).toMatchObject(late)
      const { failure } = await runLate(collectStream(toStream(instance.chat.stream(call))), 2)
      expect(failure).toMatchObject(late)
      await instance.provider.waitForAborts(2)
    })

    test("closes the connection if it is interrupted, before and within an answer", async () => {
      await using instance = await start()
      instance.provider.script(
        fault.silent(),
        fault.silent(),
        fault.silent("response_headers"),
        reply.chat(["one ", instance.provider.gate(), "two"])
      )
      const running = [
        Effect.asVoid(instance.chat.complete(call)),
        ...Array.from({ length: 3 }, () => Stream.runDrain(toStream(instance.chat.stream(call))))
      ]
      for (const [i, each] of running.entries()) {
        const fiber = Effect.runFork(Effect.provide(each, client))
        await instance.provider.waitForRequests(i + 1)
        await Effect.runPromise(Fiber.interrupt(fiber))
        await instance.provider.waitForAborts(i + 1)
      }
      expect(instance.provider.requests.map(({ aborted }) => aborted)).toEqual([
        true,
        true,
        true,
        true
      ])
    })

    test("closes the connection if the reader stops", async () => {
      await using instance = await start()
      instance.provider.always(reply.chat(["one ", instance.provider.gate(), "two"]))
      const first = await run(
        Stream.runCollect(Stream.take(toStream(instance.chat.stream(call)), 1))
      )
      expect(first).toEqual([makeTextDelta("one ")])
      await instance.provider.waitForAborts(1)
    })

    test("sends the customer's credential if there is one, unless it ignores credentials", async () => {
      await using instance = await start()
      const own = { ...call, credential: customer.credential }
      await instance.complete(own)
      await instance.stream(own)
      const sent = instance.provider.requests.map(
        ({ headers }) => headers[keyHeader ?? "authorization"]
      )
      const heeds = instance.chat.ignoresCredentials !== true
      const written = keyHeader === undefined ? `Bearer ${customer.key}` : customer.key
      expect(sent.map((header) => header === written)).toEqual([heeds, heeds])
    })

    testOfOurs("redacts a key that the upstream repeats, in an error or an answer", async () => {
      await using instance = await start()
      const own = { ...call, credential: customer.credential }
      const quotes = `Not with\n"${customer.key}"!`
      // The same characters as JSON escapes.
      const escaped = say(String.raw`sk\u002d` + customer.key.slice(3))
      const steps = [
        fault.status(401, { message: quotes }),
        fault.errorEvent(401, [quotes], quotes),
        reply.chat([quotes]),
        reply.events([{ data: escaped }, { data: `not JSON ${customer.key}` }])
      ]
      const results: Array<unknown> = []
      for (const step of steps) {
        instance.provider.script(step, step)
        results.push(await instance.complete(own), await instance.stream(own))
      }
      const failures = results.map(String).join()
      expect(JSON.stringify(results) + failures).not.toContain(customer.key.slice(3))
      expect(JSON.stringify(results)).toContain("Not with")
    })

    test("uses no more than its worst case, which grows with the number of answers", async () => {
      await using instance = await start()
      const { usage } = Result.getOrThrow(await instance.complete())
      const worst = instance.chat.estimateWorstCase(call)
      expect(usage?.inputTokens).toBeLessThanOrEqual(worst.inputTokens)
      expect(usage?.outputTokens).toBeLessThanOrEqual(worst.outputTokens)
      const three = instance.chat.estimateWorstCase(makeCall(call.model, { parameters: { n: 3 } }))
      expect(three.outputTokens).toBeGreaterThanOrEqual(3 * worst.outputTokens)
      const { maxOutputTokens: _, ...unsaid } = call
      expect(instance.chat.estimateWorstCase(unsaid).outputTokens).toBeGreaterThan(0)
    })
  })
}

const nested = "[".repeat(100_000) + "]".repeat(100_000)

const customer = {
  key: "sk-of-a-customer",
  credential: Redacted.make("sk-of-a-customer")
}

/** The model that the provider reports. */
const responseMarkers = { systemFingerprint: "fp_1", serviceTier: "flex" }

/** The concatenated arguments of one tool call. */
const toArguments = (events: ReadonlyArray<ChatEvent>, id: string): string =>
  getAnswerEvents(events)
    .map((event) => (event.type === "call" && event.call.id === id ? event.text : ""))
    .join("")
