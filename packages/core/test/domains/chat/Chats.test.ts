import { makeChatCall } from "../../../src/dialects/chat/makeChatCall.ts"
import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import type { Caller } from "../../../src/tenants/auth/Caller.ts"
import type { Catalog } from "../../../src/engine/catalog/Catalog.ts"
import { ChatChunk } from "../../../src/domains/chat/stream/ChatChunk.ts"
import { ChatCompletion } from "../../../src/domains/chat/ChatCompletion.ts"
import { Chats } from "../../../src/domains/chat/Chats.ts"
import { Health } from "../../../src/engine/health/Health.ts"
import type { Ledger } from "../../../src/engine/ledger/Ledger.ts"
import { noSpend, SpendCounters } from "../../../src/engine/ledger/SpendCounters.ts"
import * as Subject from "../../../src/engine/ledger/Subject.ts"
import type { Generation } from "../../../src/engine/observability/generations/Generation.ts"
import { Settings } from "../../../src/instance/Settings.ts"
import type { ChatCall } from "../../../src/engine/upstreams/ChatCapability.ts"
import { UpstreamFailure } from "../../../src/engine/upstreams/failures/UpstreamFailure.ts"
import { AccountId, KeyHash, UserId, WorkspaceId } from "../../../src/values/ids/Ids.ts"
import { make as nano } from "../../../src/values/usage/NanoUsd.ts"
import * as Workspace from "../../../src/tenants/workspaces/Workspace.ts"
import { WorkspaceStore } from "../../../src/tenants/workspaces/WorkspaceStore.ts"
import { toTokenPrice, type World } from "../decisions/decisionFixtures.ts"
import { makeUsable } from "../../routing/makeUsable.ts"
import {
  fakeChatUpstream,
  makeChatWorld,
  endEvent,
  parseChat,
  reply,
  textDelta,
  type ScriptStep
} from "./chatFixtures.ts"

const keyHash = KeyHash.make("0".repeat(64))
const member: Caller = {
  account: AccountId.make("acme"),
  workspace: WorkspaceId.make("lab"),
  kind: "member",
  user: UserId.make("ada"),
  keyHash
}
const limited: Caller = {
  ...member,
  limit: { cap: nano(1_000n), includesByok: false, reset: null }
}

const chatRequest = {
  model: "a/b",
  messages: [{ role: "user", content: "Is it calm at sea tonight?" }],
  provider: { sort: "price" }
}

const complete = (request: object, caller: Caller = member) =>
  Chats.use((chats) => chats.complete(caller, parseChat(request)))

/** Reads a streamed answer to its end or failure. */
const collectStream = Effect.fnUntraced(function* (request: object, caller: Caller = member) {
  const chats = yield* Chats
  const stream = yield* chats.stream(caller, parseChat({ ...request, stream: true }))
  const chunks: Array<ChatChunk> = []
  const exit = yield* Effect.exit(
    Stream.runForEach(stream.chunks, (chunk) => Effect.sync(() => void chunks.push(chunk)))
  )
  return { id: stream.id, chunks, exit, texts: listTexts(chunks) }
}, Effect.scoped)

/** Like `read`, while the test clock advances. */
const collectStreamWithClock = Effect.fnUntraced(function* (
  request: object,
  caller: Caller = member,
  millis = 4_000_000
) {
  const fiber = yield* Effect.forkChild(Effect.result(collectStream(request, caller)))
  yield* TestClock.adjust(millis)
  return yield* Effect.fromResult(yield* Fiber.join(fiber))
})

const listTexts = (chunks: ReadonlyArray<ChatChunk>) =>
  chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta["content"]))

const getSpentUsage = Effect.flatMap(Clock.currentTimeMillis, (now) =>
  SpendCounters.use((counters) =>
    Effect.map(
      counters.findSpend([Subject.fromKey(keyHash)], now),
      (spends) => (spends.get(Subject.fromKey(keyHash)) ?? noSpend).usage
    )
  )
)

const provideWorld =
  (config: World) =>
  <A, E>(
    effect: Effect.Effect<A, E, Chats | Ledger | SpendCounters | Health | Catalog | WorkspaceStore>
  ) =>
    Effect.provide(effect, makeChatWorld(config))

const unreachable = new UpstreamFailure({ kind: "unreachable" })
const serverError = new UpstreamFailure({ kind: "server_error" })

const isCompletion = Schema.is(ChatCompletion)
const isChunk = Schema.is(ChatChunk)

describe("complete", () => {
  it.effect("returns the provider, the usage and the cost", () =>
    Effect.gen(function* () {
      const completion = yield* complete(chatRequest)
      assert.isTrue(isCompletion(completion))
      assert.match(completion.id, /^gen-\d+-[0-9A-Za-z]{20}$/)
      assert.deepStrictEqual(Object.assign({}, completion, { id: "" }), {
        id: "",
        object: "chat.completion",
        created: 0,
        model: "a/b",
        provider: "ONE",
        choices: [
          {
            index: 0,
            message: { role: "assistant", content: "one" },
            finish_reason: "stop",
            native_finish_reason: "stop",
            logprobs: null
          }
        ],
        system_fingerprint: null,
        usage: {
          prompt_tokens: 10,
          completion_tokens: 2,
          total_tokens: 12,
          cost: 12e-9,
          is_byok: false
        }
      })
      assert.strictEqual(yield* getSpentUsage, nano(12n))
    }).pipe(provideWorld({ upstreams: [fakeChatUpstream("one", {})] }))
  )

  it.effect("waits until the timeout of chats, which is longer than that of other requests", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(Effect.result(complete(chatRequest)))
      yield* TestClock.adjust(299_000)
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust(2_000)
      assert.strictEqual(
        (yield* Effect.flip(Effect.fromResult(yield* Fiber.join(fiber))))._tag,
        "AttemptsFailed"
      )
    }).pipe(
      provideWorld({ upstreams: [fakeChatUpstream("one", { complete: () => Effect.never })] })
    )
  )

  it.effect("a copy of a call has its conversation, its facts and its size", () => {
    const copies: Array<ChatCall> = []
    const copy = (call: ChatCall) => {
      copies.push({ ...call, model: "other" })
      return Effect.succeed(reply("one"))
    }
    return Effect.gen(function* () {
      yield* complete(chatRequest)
      const [call] = copies
      if (call === undefined) assert.fail("it was not called")
      assert.strictEqual(call.model, "other")
      assert.isTrue(Result.isSuccess(call.conversation))
      assert.isAbove(call.contentBytes, 0)
      assert.strictEqual(call.facts.messages, chatRequest.messages.length)
    }).pipe(provideWorld({ upstreams: [fakeChatUpstream("one", { complete: copy })] }))
  })

  it.effect("runs upstreams with the timeouts of a chat", () => {
    const seen: Array<number> = []
    return complete(chatRequest).pipe(
      provideWorld({
        upstreams: [
          fakeChatUpstream("one", {
            complete: () =>
              Effect.map(Settings, ({ bodyTimeoutMillis, headersTimeoutMillis }) => {
                seen.push(bodyTimeoutMillis, headersTimeoutMillis)
                return reply("late")
              })
          })
        ]
      }),
      Effect.map(() => assert.deepStrictEqual(seen, [300_000, 300_000]))
    )
  })

  it.effect.each([
    ["fails", () => Effect.fail(unreachable)],
    [
      "ends with an error",
      () =>
        Effect.succeed(
          reply("", {
            choices: [
              {
                index: 0,
                answer: { parts: [{ type: "text", text: "x" }], end: { reason: "error" } }
              }
            ]
          })
        )
    ],
    [
      "is empty",
      () =>
        Effect.succeed(
          reply("", {
            choices: [
              { index: 0, answer: { parts: [{ type: "text", text: "" }], end: { reason: null } } }
            ],
            usage: { inputTokens: 10, outputTokens: 0 }
          })
        )
    ]
  ] as const)("falls back when an answer %s, and charges nothing for it", ([, first]) =>
    Effect.gen(function* () {
      const { provider, usage } = yield* complete(chatRequest)
      assert.strictEqual(provider, "TWO")
      assert.strictEqual(usage.cost, 24e-9)
      assert.strictEqual(yield* getSpentUsage, nano(24n))
    }).pipe(
      provideWorld({
        upstreams: [fakeChatUpstream("one", { complete: first }), fakeChatUpstream("two", {})]
      })
    )
  )

  it.effect("falls back to the next model", () =>
    Effect.gen(function* () {
      const request = { messages: chatRequest.messages, provider: chatRequest.provider }
      const { model, provider } = yield* complete({ ...request, model: "a/b", models: ["c/d"] })
      assert.deepStrictEqual({ model, provider }, { model: "c/d", provider: "TWO" })
      const { chunks } = yield* collectStream({ ...request, models: ["a/b", "c/d"] })
      assert.strictEqual(chunks[0]?.model, "c/d")
      const unknown = yield* Effect.flip(complete({ ...request, models: ["a/b", "no/such"] }))
      assert.strictEqual(unknown._tag, "ModelNotFound")
    }).pipe(
      provideWorld({
        upstreams: [
          fakeChatUpstream("one", {
            complete: () => Effect.fail(unreachable),
            steps: [unreachable]
          }),
          fakeChatUpstream("two", { steps: [textDelta("two", "stop"), endEvent(1)] })
        ],
        endpoints: [{ provider: "one", price: toTokenPrice(1) }],
        models: [{ id: "c/d", endpoints: [{ provider: "two", price: toTokenPrice(2) }] }]
      })
    )
  )

  it.effect("sends only supported parameters, under the names that the endpoint supports", () => {
    const calls: Array<ChatCall> = []
    return complete({
      ...chatRequest,
      temperature: 0.5,
      seed: 7,
      max_completion_tokens: 50,
      metadata: { a: 1 },
      user: "ada",
      session_id: "s",
      tools: [{ type: "function" }]
    }).pipe(
      provideWorld({
        upstreams: [fakeChatUpstream("one", { calls })],
        endpoints: [
          {
            provider: "one",
            price: toTokenPrice(1),
            model: "b-at-one",
            supportedParameters: ["temperature", "max_tokens"]
          }
        ]
      }),
      Effect.map(() => {
        const [{ contentBytes, maxOutputTokens, model, native } = noCall] = calls
        const { messages, ...parameters } = native.body
        assert.deepStrictEqual(
          { maxOutputTokens, messages, model, parameters },
          {
            maxOutputTokens: 50,
            messages: chatRequest.messages,
            model: "b-at-one",
            parameters: { temperature: 0.5, max_tokens: 50 }
          }
        )
        assert.isAbove(contentBytes, JSON.stringify(chatRequest.messages).length)
      })
    )
  })

  it.effect("requires every parameter with require_parameters", () =>
    Effect.gen(function* () {
      const request = {
        ...chatRequest,
        seed: 7,
        max_completion_tokens: 5,
        provider: { require_parameters: true }
      }
      assert.strictEqual((yield* complete(request)).provider, "TWO")
      assert.strictEqual(
        (yield* Effect.flip(complete({ ...request, top_a: 1 })))._tag,
        "NoEndpoints"
      )
    }).pipe(
      provideWorld({
        upstreams: [fakeChatUpstream("one", {}), fakeChatUpstream("two", {})],
        endpoints: [
          { provider: "one", price: toTokenPrice(1), supportedParameters: ["max_tokens"] },
          { provider: "two", price: toTokenPrice(2), supportedParameters: ["seed", "max_tokens"] }
        ]
      })
    )
  )

  it.effect("prefers endpoints that support tools, and drops the tools when none does", () =>
    Effect.gen(function* () {
      const request = { ...chatRequest, tools: [{ type: "function" }] }
      assert.strictEqual((yield* complete(request)).provider, "TWO")
      assert.strictEqual((yield* complete({ ...chatRequest, verbosity: "low" })).provider, "ONE")
    }).pipe(
      provideWorld({
        upstreams: [fakeChatUpstream("one", {}), fakeChatUpstream("two", {})],
        endpoints: [
          { provider: "one", price: toTokenPrice(1), supportedParameters: [] },
          { provider: "two", price: toTokenPrice(2), supportedParameters: ["tools"] }
        ]
      })
    )
  )

  it.effect("selects endpoints of the requested service tier", () => {
    const calls: Array<ChatCall> = []
    return Effect.gen(function* () {
      const { provider, usage } = yield* complete({ ...chatRequest, service_tier: "flex" })
      assert.strictEqual(provider, "ONE")
      assert.strictEqual(usage.cost, 12e-9)
      assert.deepStrictEqual(calls[0]?.native.body, {
        messages: chatRequest.messages,
        service_tier: "flex"
      })
      assert.strictEqual(
        (yield* complete({ ...chatRequest, service_tier: "auto" })).usage.cost,
        24e-9
      )
    }).pipe(
      provideWorld({
        upstreams: [fakeChatUpstream("one", { calls })],
        endpoints: [
          { provider: "one", price: toTokenPrice(2) },
          {
            provider: "one",
            variant: "flex",
            price: toTokenPrice(1),
            supportedParameters: ["service_tier"]
          }
        ]
      })
    )
  })

  it.effect(
    "ranks by the prices of prompt and completion when the length of the answer is open",
    () =>
      Effect.gen(function* () {
        const priceOf = { provider: { sort: "price" } }
        assert.strictEqual((yield* complete({ ...chatRequest, ...priceOf })).provider, "TWO")
        assert.strictEqual(
          (yield* complete({ ...chatRequest, ...priceOf, max_tokens: 1 })).provider,
          "ONE"
        )
      }).pipe(
        provideWorld({
          upstreams: [fakeChatUpstream("one", {}), fakeChatUpstream("two", {})],
          endpoints: [
            { provider: "one", price: { prompt: "0.000000001", completion: "0.000000005" } },
            { provider: "two", price: { prompt: "0.000000002", completion: "0.000000002" } }
          ]
        })
      )
  )

  it.effect("includes the price of images in the rank", () =>
    Effect.gen(function* () {
      const content = [{ type: "image_url", image_url: { url: "https://a.example/b.png" } }]
      const request = { ...chatRequest, provider: { sort: "price" } }
      assert.strictEqual((yield* complete(request)).provider, "ONE")
      const shown = yield* complete({ ...request, messages: [{ role: "user", content }] })
      assert.strictEqual(shown.provider, "TWO")
    }).pipe(
      provideWorld({
        upstreams: [fakeChatUpstream("one", {}), fakeChatUpstream("two", {})],
        endpoints: [
          { provider: "one", price: { ...toTokenPrice(1), image: "1" } },
          { provider: "two", price: toTokenPrice(2) }
        ]
      })
    )
  )

  it.effect("charges cached tokens at their own price", () =>
    Effect.gen(function* () {
      const { usage } = yield* complete(chatRequest)
      assert.strictEqual(usage.cost, 48e-9)
    }).pipe(
      provideWorld({
        upstreams: [
          fakeChatUpstream("one", {
            complete: () =>
              Effect.succeed(
                reply("one", { usage: { inputTokens: 10, outputTokens: 2, cachedTokens: 8 } })
              )
          })
        ],
        endpoints: [
          { provider: "one", price: { ...toTokenPrice(10), input_cache_read: "0.000000001" } }
        ]
      })
    )
  )

  it.effect("estimates the usage that an upstream does not report", () =>
    Effect.gen(function* () {
      const { usage } = yield* complete(chatRequest)
      assert.strictEqual(usage.completion_tokens, 10)
      assert.isAbove(usage.prompt_tokens, 0)
      assert.isAbove(usage.cost ?? 0, 0)
    }).pipe(
      provideWorld({
        upstreams: [
          fakeChatUpstream("one", {
            complete: () => Effect.succeed({ choices: reply("x".repeat(40)).choices })
          })
        ]
      })
    )
  )

  it.effect("uses the default model of the workspace when the request names none", () =>
    Effect.gen(function* () {
      const request = { messages: chatRequest.messages }
      const refused = yield* Effect.flip(complete(request))
      assert.strictEqual(refused._tag, "InvalidRequest")
      const workspaces = yield* WorkspaceStore
      yield* workspaces.insert(
        member.account,
        Workspace.make(
          { name: "Lab", slug: "the-lab", default_text_model: "a/b" },
          { id: member.workspace, at: "1970-01-01T00:00:00.000Z", by: "" }
        )
      )
      assert.strictEqual((yield* complete(request)).model, "a/b")
    }).pipe(provideWorld({ upstreams: [fakeChatUpstream("one", {})] }))
  )

  it.effect("rejects management keys", () =>
    Effect.gen(function* () {
      const refused = yield* Effect.flip(complete(chatRequest, { ...member, kind: "management" }))
      assert.strictEqual(refused._tag, "NotPermitted")
    }).pipe(provideWorld({ upstreams: [fakeChatUpstream("one", {})] }))
  )
})

const noCall = makeChatCall({ model: "", messages: [], contentBytes: 0 })

const slowlyRead = (counter: { pulled: number }) => ({
  upstreams: [
    {
      slug: "one",
      name: "ONE",
      chat: {
        estimateWorstCase: () => ({ inputTokens: 1, outputTokens: 1 }),
        complete: () => Effect.die("not asked for"),
        stream: () =>
          Stream.fromIterable(
            [...Array.from({ length: 500 }, (_, i) => textDelta(String(i))), endEvent(500)],
            { chunkSize: 1 }
          ).pipe(Stream.tap(() => Effect.sync(() => void counter.pulled++)))
      }
    }
  ]
})

describe("stream", () => {
  it.effect("reports the native finish reason", () =>
    Effect.gen(function* () {
      const { chunks } = yield* collectStreamWithClock(chatRequest)
      const { choices } = yield* complete(chatRequest)
      assert.deepStrictEqual(
        [...(chunks[0]?.choices ?? []), ...choices].map((choice) => [
          choice.finish_reason,
          choice.native_finish_reason
        ]),
        [
          ["stop", "end_turn"],
          ["stop", "end_turn"]
        ]
      )
    }).pipe(
      provideWorld({
        upstreams: [
          fakeChatUpstream("one", {
            steps: [
              {
                type: "delta",
                choices: [
                  {
                    index: 0,
                    events: [{ type: "text", text: "Yes." }],
                    end: { reason: "stop", nativeReason: "end_turn" }
                  }
                ]
              },
              endEvent(1)
            ],
            complete: () =>
              Effect.succeed(
                reply("Yes.", {
                  choices: [
                    {
                      index: 0,
                      answer: {
                        parts: [{ type: "text", text: "Yes." }],
                        end: { reason: "stop", nativeReason: "end_turn" }
                      }
                    }
                  ]
                })
              )
          })
        ]
      })
    )
  )

  it.effect("passes every piece on, then the usage and the cost", () => {
    const records: Array<Generation> = []
    return Effect.gen(function* () {
      const { chunks, id } = yield* collectStreamWithClock(chatRequest)
      assert.isTrue(chunks.every(isChunk))
      const head = {
        id,
        object: "chat.completion.chunk" as const,
        created: 0,
        model: "a/b",
        provider: "ONE"
      }
      assert.deepStrictEqual<ReadonlyArray<ChatChunk>>(chunks, [
        {
          ...head,
          choices: [
            {
              index: 0,
              delta: { role: "assistant", content: "It " },
              finish_reason: null,
              native_finish_reason: null
            }
          ]
        },
        {
          ...head,
          choices: [
            {
              index: 0,
              delta: { content: "is." },
              finish_reason: "stop",
              native_finish_reason: "stop"
            }
          ]
        },
        {
          ...head,
          choices: [],
          usage: {
            prompt_tokens: 10,
            completion_tokens: 2,
            total_tokens: 12,
            cost: 12e-9,
            is_byok: false
          }
        }
      ])
      assert.strictEqual(yield* getSpentUsage, nano(12n))
      assert.lengthOf(records, 1)
      const [record] = records
      assert.strictEqual(record?.id, id)
      assert.strictEqual(record?.operation, "chat")
      assert.deepStrictEqual(record?.usage, { inputTokens: 10, outputTokens: 2 })
      assert.strictEqual(record?.streamed, true)
      assert.strictEqual(record?.finishReason, "stop")
      assert.strictEqual(record?.attempts[0]?.firstEventMillis, 0)
      assert.strictEqual(record?.attempts[0]?.latencyMillis, 20)
      assert.deepStrictEqual(
        record?.attempts.map(({ outcome }) => outcome),
        ["served"]
      )
    }).pipe(
      provideWorld({
        upstreams: [
          fakeChatUpstream("one", {
            steps: [textDelta("It "), 20, textDelta("is.", "stop"), endEvent(2)]
          })
        ],
        records
      })
    )
  })

  it.effect.each([
    ["breaks", [20, unreachable], 0n],
    ["reports an error", [serverError], 0n],
    ["ends with an error", [textDelta("", "error"), endEvent(0)], 0n],
    ["ends", [], 0n],
    ["says nothing", [endEvent(0)], 0n],
    // About 32 tokens of prompt are charged, because the provider may still be generating.
    ["is silent", [31_000, textDelta("late")], 32n]
  ] satisfies ReadonlyArray<readonly [string, ReadonlyArray<ScriptStep>, bigint]>)(
    "falls back when a stream %s before its first piece, without charging for an answer",
    ([, steps, prompt]) =>
      Effect.gen(function* () {
        const { chunks, texts } = yield* collectStreamWithClock(chatRequest)
        assert.deepStrictEqual(texts, ["two"])
        assert.strictEqual(chunks[0]?.provider, "TWO")
        assert.strictEqual(yield* getSpentUsage, nano(prompt + 24n))
      }).pipe(
        provideWorld({
          upstreams: [
            fakeChatUpstream("one", { steps }),
            fakeChatUpstream("two", { steps: [textDelta("two", "stop"), endEvent(2)] })
          ]
        })
      )
  )

  it.effect.each([
    ["breaks", [unreachable], "unreachable", true],
    ["ends without its end", [], "invalid_answer", true],
    ["stalls", [31_000, textDelta("late")], "timeout", true],
    ["reports an error", [serverError], "server_error", false],
    ["ends with an error", [textDelta("", "error"), endEvent(9)], "server_error", false]
  ] satisfies ReadonlyArray<readonly [string, ReadonlyArray<ScriptStep>, string, boolean]>)(
    "does not fall back when a stream %s after its first piece",
    ([, steps, kind, isCharged]) => {
      const records: Array<Generation> = []
      const log: Array<string> = []
      return Effect.gen(function* () {
        const { exit, texts } = yield* collectStreamWithClock(chatRequest)
        assert.deepStrictEqual(texts, ["a", "b"])
        const failure = yield* Effect.flip(exit)
        assert.strictEqual(failure._tag, "AttemptsFailed")
        assert.deepStrictEqual(log, ["open one", "close one"])
        assert.lengthOf(records, 1)
        assert.deepStrictEqual(
          records[0]?.attempts.map(({ outcome }) => outcome),
          [kind]
        )
        // About 26 tokens of prompt, a token a piece.
        const { inputTokens } = parseChat({ ...chatRequest, stream: true })
        assert.strictEqual(yield* getSpentUsage, nano(isCharged ? BigInt(inputTokens + 2) : 0n))
      }).pipe(
        provideWorld({
          upstreams: [
            fakeChatUpstream("one", {
              steps: [textDelta("a"), 10, textDelta("b"), 10, ...steps],
              log
            }),
            fakeChatUpstream("two", { steps: [textDelta("two", "stop"), endEvent(2)], log })
          ],
          records
        })
      )
    }
  )

  it.effect("charges the usage that a broken answer reports", () =>
    Effect.gen(function* () {
      yield* collectStreamWithClock(chatRequest)
      assert.strictEqual(yield* getSpentUsage, nano(8n))
    }).pipe(
      provideWorld({
        upstreams: [
          fakeChatUpstream("one", {
            steps: [
              textDelta("a"),
              10,
              new UpstreamFailure({
                kind: "unreachable",
                usage: { inputTokens: 5, outputTokens: 3 }
              })
            ]
          })
        ]
      })
    )
  )

  it.effect("charges the usage reported before an answer broke off", () =>
    Effect.gen(function* () {
      const { chunks, texts } = yield* collectStreamWithClock(chatRequest)
      assert.deepStrictEqual([texts, chunks.length], [["a", "b"], 2])
      assert.strictEqual(yield* getSpentUsage, nano(9n))
    }).pipe(
      provideWorld({
        upstreams: [
          fakeChatUpstream("one", {
            steps: [textDelta("a"), textDelta("b"), 10, unreachable],
            stated: [
              { inputTokens: 5, outputTokens: 3 },
              { inputTokens: 5, outputTokens: 4 }
            ]
          })
        ]
      })
    )
  )

  it.effect("charges at most the reservation for an answer that is cut off", () =>
    Effect.gen(function* () {
      yield* collectStreamWithClock(chatRequest, limited)
      assert.strictEqual(yield* getSpentUsage, nano(4n))
    }).pipe(
      provideWorld({
        upstreams: [
          fakeChatUpstream("one", {
            steps: [textDelta("a lot of text, all at once and more"), 10, unreachable],
            worstCase: () => ({ inputTokens: 3, outputTokens: 1 })
          })
        ]
      })
    )
  )

  it.effect("charges nothing for an answer with neither tokens nor a finish reason", () =>
    Effect.gen(function* () {
      const { chunks } = yield* collectStreamWithClock(chatRequest)
      assert.strictEqual(chunks.at(-1)?.usage?.cost, 0)
      assert.strictEqual(yield* getSpentUsage, nano(0n))
    }).pipe(
      provideWorld({
        upstreams: [fakeChatUpstream("one", { steps: [textDelta(""), endEvent(0)] })]
      })
    )
  )

  it.effect("ends, charges and records the call when the caller disconnects", () => {
    const records: Array<Generation> = []
    const log: Array<string> = []
    return Effect.gen(function* () {
      const scope = yield* Scope.make()
      const chats = yield* Chats
      yield* Scope.provide(
        chats.stream(limited, parseChat({ ...chatRequest, stream: true })),
        scope
      )
      yield* TestClock.adjust(1_500)
      assert.deepStrictEqual(log, ["open one"])
      yield* Scope.close(scope, Exit.void)
      assert.deepStrictEqual(log, ["open one", "close one"])
      assert.deepStrictEqual(
        records.map(({ attempts, error }) => [error, attempts[0]?.outcome]),
        [["Interrupted", "interrupted"]]
      )
      const { inputTokens } = parseChat({ ...chatRequest, stream: true })
      assert.strictEqual(yield* getSpentUsage, nano(BigInt(inputTokens + 2)))
    }).pipe(
      provideWorld({
        upstreams: [
          fakeChatUpstream("one", {
            steps: [
              textDelta("a"),
              1_000,
              textDelta("b"),
              1_000,
              textDelta("c"),
              1_000,
              endEvent(3)
            ],
            log
          })
        ],
        records
      })
    )
  })

  it.effect("is free on a customer's own credential, streamed or not", () => {
    const records: Array<Generation> = []
    const calls: Array<ChatCall> = []
    const models = ["a/b"]
    return Effect.gen(function* () {
      const { chunks } = yield* collectStreamWithClock(chatRequest)
      const { cost, is_byok } = chunks.at(-1)!.usage!
      assert.deepStrictEqual({ cost, is_byok }, { cost: 0, is_byok: true })
      assert.isDefined(calls[0]?.credential)
      const { usage } = yield* complete(chatRequest)
      assert.deepStrictEqual([usage.cost, usage.is_byok], [0, true])
      assert.deepStrictEqual(
        records.map(({ cost, isByok, upstreamCost }) => ({ cost, isByok, upstreamCost })),
        Array.from({ length: 2 }, () => ({
          cost: nano(0n),
          isByok: true as const,
          upstreamCost: nano(12n)
        }))
      )
    }).pipe(
      provideWorld({
        upstreams: [
          fakeChatUpstream("one", { steps: [textDelta("It is.", "stop"), endEvent(2)], calls })
        ],
        usable: [makeUsable({ id: "k", provider: "one", models })],
        records
      })
    )
  })

  it.effect("reserves the worst case, and releases what it did not use", () =>
    Effect.gen(function* () {
      const tight: Caller = {
        ...member,
        limit: { cap: nano(210n), includesByok: false, reset: null }
      }
      const chats = yield* Chats
      const scope = yield* Scope.make()
      yield* Scope.provide(chats.stream(tight, parseChat({ ...chatRequest, stream: true })), scope)
      const refused = yield* Effect.flip(complete(chatRequest, tight))
      assert.strictEqual(refused._tag, "LimitExceeded")
      yield* Scope.close(scope, Exit.void)
      const tighter: Caller = { ...tight, limit: { ...tight.limit!, cap: nano(260n) } }
      assert.strictEqual((yield* complete(chatRequest, tighter)).provider, "ONE")
    }).pipe(
      provideWorld({
        upstreams: [
          fakeChatUpstream("one", { steps: [textDelta("a"), 1_000, textDelta("b"), endEvent(2)] })
        ]
      })
    )
  )

  it.effect("ends the call when the caller stops reading", () => {
    const records: Array<Generation> = []
    const log: Array<string> = []
    return Effect.gen(function* () {
      const chats = yield* Chats
      const { chunks } = yield* chats.stream(member, parseChat({ ...chatRequest, stream: true }))
      const first = yield* Stream.runCollect(Stream.take(chunks, 1))
      assert.deepStrictEqual(listTexts(first), ["a"])
      assert.deepStrictEqual(log, ["open one", "close one"])
      assert.lengthOf(records, 1)
    }).pipe(
      Effect.scoped,
      provideWorld({
        upstreams: [
          fakeChatUpstream("one", {
            steps: [textDelta("a"), 1_000, textDelta("b"), endEvent(2)],
            log
          })
        ],
        records
      })
    )
  })

  it.effect("ends the call when the caller disconnects before the first piece", () => {
    const records: Array<Generation> = []
    const log: Array<string> = []
    return Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(collectStream(chatRequest))
      yield* TestClock.adjust(100)
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(log, ["open one", "close one"])
      assert.lengthOf(records, 1)
      const [attempt] = records[0]?.attempts ?? []
      assert.deepInclude(attempt, { outcome: "interrupted", estimated: true, cost: nano(32n) })
      assert.strictEqual(yield* getSpentUsage, nano(32n))
    }).pipe(
      provideWorld({
        upstreams: [
          fakeChatUpstream("one", { steps: [1_000, textDelta("a"), endEvent(1)], log }),
          fakeChatUpstream("two", { steps: [textDelta("two"), endEvent(1)], log })
        ],
        records
      })
    )
  })

  it.effect("reads the response to its end before it closes the call", () => {
    const log: Array<string> = []
    return Effect.gen(function* () {
      const { chunks, texts } = yield* collectStream(chatRequest)
      assert.deepStrictEqual(texts, ["a"])
      assert.strictEqual(chunks.at(-1)?.usage?.completion_tokens, 1)
      assert.strictEqual(yield* getSpentUsage, nano(11n))
      assert.deepStrictEqual(log, ["open one"])
      yield* TestClock.adjust(1_000)
      assert.deepStrictEqual(log, ["open one", "close one"])
    }).pipe(
      provideWorld({
        upstreams: [
          fakeChatUpstream("one", {
            steps: [
              textDelta("a", "stop"),
              endEvent(1),
              600_000,
              textDelta("", "error"),
              endEvent(9)
            ],
            log
          })
        ]
      })
    )
  })

  it.effect(
    "slows the provider down for a slow reader, without counting the delay against it",
    () => {
      const counter = { pulled: 0 }
      return Effect.gen(function* () {
        const { unreadResponseTimeoutMillis } = yield* Settings
        const chats = yield* Chats
        const { chunks } = yield* chats.stream(member, parseChat({ ...chatRequest, stream: true }))
        yield* TestClock.adjust(unreadResponseTimeoutMillis - 1)
        assert.isBelow(counter.pulled, 80)
        const all = yield* Stream.runCollect(chunks)
        assert.lengthOf(all, 501)
        const { endpoints } = (yield* Health).snapshot(["a/b@one"])
        // The throughput is unknown.
        const { samples, throughputSamples } = endpoints["a/b@one"]!
        assert.deepStrictEqual({ samples, throughputSamples }, { samples: 1, throughputSamples: 0 })
      }).pipe(Effect.scoped, provideWorld(slowlyRead(counter)))
    }
  )

  it.effect("does not cut off a reader that takes something within each timeout", () => {
    const counter = { pulled: 0 }
    return Effect.gen(function* () {
      const { unreadResponseTimeoutMillis } = yield* Settings
      const chats = yield* Chats
      const { chunks } = yield* chats.stream(member, parseChat({ ...chatRequest, stream: true }))
      let read = 0
      const reading = yield* Effect.forkChild(
        Stream.runForEachArray(chunks, (some) => {
          read += some.length
          return Effect.sleep(unreadResponseTimeoutMillis - 1)
        })
      )
      yield* TestClock.adjust(unreadResponseTimeoutMillis)
      assert.isBelow(counter.pulled, 200)
      for (let turn = 0; turn < 20; turn++) yield* TestClock.adjust(unreadResponseTimeoutMillis)
      yield* Fiber.join(reading)
      assert.strictEqual(read, 501)
    }).pipe(Effect.scoped, provideWorld(slowlyRead(counter)))
  })

  it.effect("cuts off a reader that takes nothing for the whole timeout", () => {
    const counter = { pulled: 0 }
    return Effect.gen(function* () {
      const { unreadResponseTimeoutMillis } = yield* Settings
      const chats = yield* Chats
      const { chunks } = yield* chats.stream(member, parseChat({ ...chatRequest, stream: true }))
      yield* TestClock.adjust(unreadResponseTimeoutMillis)
      const exit = yield* Effect.exit(Stream.runDrain(chunks))
      assert.isTrue(Exit.isFailure(exit))
      assert.isBelow(counter.pulled, 80)
    }).pipe(Effect.scoped, provideWorld(slowlyRead(counter)))
  })

  it.effect("may outlast the timeout of a request, but not that of a stream", () =>
    Effect.gen(function* () {
      const { exit, texts } = yield* collectStreamWithClock(chatRequest)
      assert.strictEqual((yield* Effect.flip(exit))._tag, "AttemptsFailed")
      assert.strictEqual(texts.length, 90)
    }).pipe(
      provideWorld({
        upstreams: [
          fakeChatUpstream("one", {
            steps: Array.from({ length: 500 }, (): ReadonlyArray<ScriptStep> => [
              textDelta("x"),
              20_000
            ]).flat()
          })
        ]
      })
    )
  )

  it.effect("measures the time to the first piece", () =>
    Effect.gen(function* () {
      yield* collectStreamWithClock(chatRequest, member, 10_000)
      const health = yield* Health
      const { endpoints } = health.snapshot(["a/b@one"])
      const { latency, samples, throughput } = endpoints["a/b@one"]!
      assert.strictEqual(samples, 1)
      assert.approximately(latency!.p50, 700, 70)
      // Two tokens in 5.7 seconds.
      assert.approximately(throughput!.p50, 0.35, 0.04)
    }).pipe(
      provideWorld({
        upstreams: [
          fakeChatUpstream("one", {
            steps: [700, textDelta("a"), 5_000, textDelta("b", "stop"), endEvent(2)]
          })
        ]
      })
    )
  )
})

const makeCappedCaller = (cap: bigint): Caller => ({
  ...member,
  limit: { cap: nano(cap), includesByok: false, reset: null }
})
const expectLimitExceeded = (caller: Caller, request: object) =>
  Effect.map(Effect.flip(complete({ ...chatRequest, ...request }, caller)), (error) =>
    error._tag === "LimitExceeded" ? error : assert.fail(error._tag)
  )
const makeWritingWorld = (supported_parameters: ReadonlyArray<string>) =>
  makeChatWorld({
    upstreams: [
      fakeChatUpstream("one", {
        worstCase: ({ contentBytes, facts: { answers }, maxOutputTokens = 1_000 }) => ({
          inputTokens: contentBytes,
          outputTokens: maxOutputTokens * answers
        })
      })
    ],
    endpoints: [
      {
        provider: "one",
        price: toTokenPrice(10),
        supportedParameters: supported_parameters,
        contextLength: 5_000
      }
    ]
  })

describe("the reservation of a chat", () => {
  it.effect("suggests a cap that fits the available money, and accepts a request with it", () =>
    Effect.gen(function* () {
      const { reductionHint } = yield* expectLimitExceeded(makeCappedCaller(5_000n), {})
      const { affordableTokens = 0, ...rest } = reductionHint ?? {}
      assert.deepStrictEqual(rest, { parameter: "max_tokens", isSent: false, outputTokens: 5_000 })
      assert.isAbove(affordableTokens, 100)
      yield* expectLimitExceeded(makeCappedCaller(5_000n), { max_tokens: affordableTokens + 50 })
      yield* complete({ ...chatRequest, max_tokens: affordableTokens }, makeCappedCaller(5_000n))
    }).pipe(Effect.provide(makeWritingWorld(["max_tokens", "n"])))
  )

  it.effect("counts the cap for each answer, plus the reasoning tokens", () =>
    Effect.gen(function* () {
      const { reductionHint } = yield* expectLimitExceeded(makeCappedCaller(1_500n), {
        max_tokens: 100,
        n: 3,
        reasoning: { max_tokens: 20 }
      })
      assert.strictEqual(reductionHint?.outputTokens, 360)
      assert.isTrue(reductionHint?.isSent)
    }).pipe(Effect.provide(makeWritingWorld(["max_tokens", "n", "reasoning"])))
  )

  it.effect("suggests no cap when the endpoint supports none", () =>
    Effect.gen(function* () {
      assert.isUndefined(
        (yield* expectLimitExceeded(makeCappedCaller(5_000n), { max_tokens: 5 })).reductionHint
      )
    }).pipe(Effect.provide(makeWritingWorld([])))
  )

  it.effect("counts at most the context length of the model for the prompt", () =>
    Effect.gen(function* () {
      const long = [{ role: "user", content: "x".repeat(18_000) }]
      const request = { messages: long, max_tokens: 10 }
      const { amount } = yield* expectLimitExceeded(makeCappedCaller(1n), request)
      assert.strictEqual(amount, nano(50_100n))
    }).pipe(Effect.provide(makeWritingWorld(["max_tokens"])))
  )
})

describe("unreported usage", () => {
  const hanging = fakeChatUpstream("one", {
    complete: () => Effect.never,
    steps: [3_600_000, textDelta("a")]
  })

  it.effect.each([
    [
      "a whole answer",
      (chats: Chats["Service"]) => Effect.asVoid(chats.complete(member, parseChat(chatRequest)))
    ],
    [
      "a stream",
      (chats: Chats["Service"]) =>
        Effect.scoped(chats.stream(member, parseChat({ ...chatRequest, stream: true })))
    ]
  ] as const)(
    "is the prompt of each caller who disconnects before the first piece of %s",
    ([, ask]) => {
      const records: Array<Generation> = []
      return Effect.gen(function* () {
        const chats = yield* Chats
        for (let times = 0; times < 30; times++) {
          const fiber = yield* Effect.forkChild(ask(chats))
          yield* TestClock.adjust(10)
          yield* Fiber.interrupt(fiber)
        }
        assert.lengthOf(records, 30)
        assert.isTrue(
          records.every(({ attempts: [one] }) => one?.estimated && (one.cost ?? 0n) > 0n)
        )
        assert.isTrue((yield* getSpentUsage) >= 30n * 20n)
      }).pipe(provideWorld({ upstreams: [hanging], records }))
    }
  )

  it.effect("is the prompt when a completion times out", () => {
    const records: Array<Generation> = []
    return Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(Effect.flip(complete(chatRequest, limited)))
      yield* TestClock.adjust(300_000)
      assert.strictEqual((yield* Fiber.join(fiber))._tag, "AttemptsFailed")
      assert.deepInclude(records[0]?.attempts[0], { outcome: "timeout", estimated: true })
      assert.isTrue((yield* getSpentUsage) > 0n)
    }).pipe(provideWorld({ upstreams: [hanging], records }))
  })

  it.effect("is zero when the provider was not reached", () => {
    const unreached = new UpstreamFailure({ kind: "timeout", phase: "connect" })
    return Effect.gen(function* () {
      yield* Effect.flip(complete(chatRequest))
      assert.strictEqual(yield* getSpentUsage, nano(0n))
    }).pipe(
      provideWorld({
        upstreams: [fakeChatUpstream("one", { complete: () => Effect.fail(unreached) })]
      })
    )
  })
})

const makeReportingWorld = (rest: Parameters<typeof reply>[1]) => {
  const records: Array<Generation> = []
  const usage = rest?.usage ?? { inputTokens: 10, outputTokens: 2 }
  return {
    records,
    world: provideWorld({
      upstreams: [
        fakeChatUpstream("one", {
          complete: () => Effect.succeed(reply("one", { ...rest, usage })),
          steps: [textDelta("a", "stop"), { type: "end", usage, ...rest }]
        })
      ],
      endpoints: [{ provider: "one", price: toTokenPrice(10), contextLength: 10_000 }],
      records
    })
  }
}

describe("implausible usage", () => {
  it.effect.each([
    ["answer", { inputTokens: 10, outputTokens: 6e14 }, "outputTokens"],
    ["an enormous prompt", { inputTokens: 6e14, outputTokens: 2 }, "inputTokens"],
    [
      "a prompt with more tokens than bytes",
      { inputTokens: 1_201, outputTokens: 2 },
      "inputTokens"
    ],
    ["an answer above its cap", { inputTokens: 10, outputTokens: 1_201 }, "outputTokens"],
    ["too many searches", { inputTokens: 10, outputTokens: 2, webSearches: 11 }, "webSearches"],
    [
      "more cached than prompt tokens",
      { inputTokens: 10, outputTokens: 2, cachedTokens: 1e15 },
      "cachedTokens"
    ],
    [
      "more cache-write than prompt tokens",
      { inputTokens: 10, outputTokens: 2, cacheWriteTokens: 1e15 },
      "cacheWriteTokens"
    ],
    [
      "more audio than prompt tokens",
      { inputTokens: 10, outputTokens: 2, audioTokens: 1e15 },
      "audioTokens"
    ],
    [
      "more reasoning than answer tokens",
      { inputTokens: 10, outputTokens: 2, reasoningTokens: 1e15 },
      "reasoningTokens"
    ],
    [
      "more audio than answer tokens",
      { inputTokens: 10, outputTokens: 2, audioOutputTokens: 1e15 },
      "audioOutputTokens"
    ],
    [
      "more image than answer tokens",
      { inputTokens: 10, outputTokens: 2, imageOutputTokens: 1e15 },
      "imageOutputTokens"
    ]
  ] as const)("is capped alone, and the answer tells what was reported: %s", ([, usage, what]) => {
    const { records, world } = makeReportingWorld({ usage })
    const prompt = what === "inputTokens" ? 100 : usage.inputTokens
    const answer = what === "outputTokens" ? 100 : usage.outputTokens
    const charged = BigInt(prompt + answer) * 10n
    const told = {
      prompt_tokens: usage.inputTokens,
      completion_tokens: usage.outputTokens,
      total_tokens: usage.inputTokens + usage.outputTokens
    }
    return Effect.gen(function* () {
      const completion = yield* complete(chatRequest)
      const { chunks } = yield* collectStreamWithClock(chatRequest)
      for (const each of [completion.usage, chunks.at(-1)?.usage]) {
        assert.strictEqual(each?.prompt_tokens, prompt)
        assert.strictEqual(each?.completion_tokens, answer)
        assert.deepInclude(each?.reported, told)
      }
      for (const { attempts, cost } of records) {
        assert.strictEqual(cost, nano(charged))
        assert.strictEqual(attempts[0]?.implausible?.what, what)
        assert.deepStrictEqual(attempts[0]?.implausible?.usage, usage)
      }
      assert.lengthOf(records, 2)
      assert.strictEqual(yield* getSpentUsage, nano(2n * charged))
    }).pipe(world)
  })

  it.effect("does not take what a provider had cached for implausible, up to the context", () => {
    const usage = { inputTokens: 9_010, outputTokens: 2, cachedTokens: 9_000 }
    const { records, world } = makeReportingWorld({ usage })
    return Effect.gen(function* () {
      const { usage: told } = yield* complete(chatRequest)
      assert.strictEqual(told.prompt_tokens, 9_010)
      assert.isUndefined(told.reported)
      assert.isUndefined(records[0]?.attempts[0]?.implausible)
    }).pipe(world)
  })

  it.effect("does not take what a provider read for implausible that searched unasked", () => {
    const usage = { inputTokens: 60_000, outputTokens: 2, webSearches: 1 }
    const { records, world } = makeReportingWorld({ usage })
    return Effect.gen(function* () {
      assert.strictEqual((yield* complete(chatRequest)).usage.prompt_tokens, 60_000)
      const { chunks } = yield* collectStreamWithClock(chatRequest)
      assert.strictEqual(chunks.at(-1)?.usage?.prompt_tokens, 60_000)
      assert.isUndefined(records[0]?.attempts[0]?.implausible)
    }).pipe(world)
  })

  it.effect("is left out of the usage details", () => {
    const { world } = makeReportingWorld({
      usage: { inputTokens: 10, outputTokens: 2, cachedTokens: 1e15 },
      usageDetails: { prompt_tokens_details: { cached_tokens: 1e15 } }
    })
    return Effect.gen(function* () {
      const { usage } = yield* complete(chatRequest)
      assert.isUndefined(usage["prompt_tokens_details"])
      const { chunks } = yield* collectStreamWithClock(chatRequest)
      assert.isUndefined(chunks.at(-1)?.usage?.["prompt_tokens_details"])
    }).pipe(world)
  })

  it.effect("leaves plausible reports unchanged, with some slack", () => {
    const { records, world } = makeReportingWorld({
      usage: { inputTokens: 1_200, outputTokens: 1_200 }
    })
    return Effect.gen(function* () {
      yield* complete(chatRequest)
      assert.isUndefined(records[0]?.attempts[0]?.implausible)
      assert.strictEqual(yield* getSpentUsage, nano(24_000n))
    }).pipe(world)
  })

  it.effect.each([
    // The price list says 120.
    ["a cost that matches the price list", 1_200n, 1_200n, false],
    ["a higher cost within the reservation", 1_201n, 1_201n, true],
    ["a cost above the reservation", 900_000_000_000_000_000n, 2_000n, true]
  ] as const)(
    "charges and checks the cost that a provider reports: %s",
    ([, cost, charged, isReported]) => {
      const { records, world } = makeReportingWorld({ cost: nano(cost) })
      return Effect.gen(function* () {
        yield* complete(chatRequest)
        assert.strictEqual(yield* getSpentUsage, nano(charged))
        const { implausible } = records[0]?.attempts[0] ?? {}
        assert.strictEqual(implausible?.what, isReported ? "cost" : undefined)
      }).pipe(world)
    }
  )
})
