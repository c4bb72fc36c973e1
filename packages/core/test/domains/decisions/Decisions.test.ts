import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import * as Tracer from "effect/Tracer"
import { type Caller, hostCaller } from "../../../src/tenants/auth/Caller.ts"
import { Decision } from "../../../src/domains/decisions/Decision.ts"
import { Decisions } from "../../../src/domains/decisions/Decisions.ts"
import { parseDecisionRequest } from "../../../src/domains/decisions/parseDecisionRequest.ts"
import { Ledger } from "../../../src/engine/ledger/Ledger.ts"
import { LedgerStore } from "../../../src/engine/ledger/LedgerStore.ts"
import { noSpend, SpendCounters } from "../../../src/engine/ledger/SpendCounters.ts"
import * as Subject from "../../../src/engine/ledger/Subject.ts"
import type { Generation } from "../../../src/engine/observability/generations/Generation.ts"
import { defaults } from "../../../src/instance/Settings.ts"
import type {
  DecisionCall,
  DecisionReply
} from "../../../src/engine/upstreams/DecisionCapability.ts"
import { UpstreamFailure } from "../../../src/engine/upstreams/failures/UpstreamFailure.ts"
import { AccountId, KeyHash, UserId, WorkspaceId } from "../../../src/values/ids/Ids.ts"
import { make as nano } from "../../../src/values/usage/NanoUsd.ts"
import { recordingTracer } from "../../engine/observability/recordingTracer.ts"
import { toTokenPrice, fakeDecisionUpstream, makeWorld, type World } from "./decisionFixtures.ts"
import { memoryLedgerStore } from "../../../src/memory/memoryLedgerStore.ts"

const member: Caller = {
  account: AccountId.make("acme"),
  workspace: WorkspaceId.make("lab"),
  kind: "member",
  user: UserId.make("ada"),
  keyHash: KeyHash.make("0".repeat(64))
}

const decisionRequest = {
  model: "a/b",
  state: { text: "It is fine." },
  questions: { calm: { type: "noul", instructions: "Is it calm?" } },
  provider: { sort: "price" }
}

const submit = Effect.fnUntraced(function* (request: object | string, caller: Caller = member) {
  const decisions = yield* Decisions
  const text = typeof request === "string" ? request : JSON.stringify(request)
  const parsed = yield* Effect.fromResult(
    parseDecisionRequest(text, { bytes: Buffer.byteLength(text), settings: defaults })
  )
  return yield* decisions.submit(caller, parsed)
})

const reply = (inputTokens: number, rest: Partial<DecisionReply> = {}): DecisionReply => ({
  verdicts: new Map([["calm", { weights: [3, 1] }]]),
  usage: { inputTokens, outputTokens: 2 },
  method: "native",
  ...rest
})
const answers = (slug: string, inputTokens = 10, rest: Partial<DecisionReply> = {}) =>
  fakeDecisionUpstream(slug, () => Effect.succeed(reply(inputTokens, rest)))
const fails = (slug: string, failure: ConstructorParameters<typeof UpstreamFailure>[0]) =>
  fakeDecisionUpstream(slug, () => Effect.fail(new UpstreamFailure(failure)))

const provideWorld =
  (world_: World) =>
  <A, E>(effect: Effect.Effect<A, E, Decisions | Ledger | SpendCounters>) =>
    Effect.provide(effect, makeWorld(world_))

const getSpend = (subject: Subject.Subject) =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    SpendCounters.use((counters) =>
      Effect.map(counters.findSpend([subject], now), (spends) => spends.get(subject) ?? noSpend)
    )
  )

/** A Friday, so that the week does not end. */
const midnight = 86_400_000

const capped = { cap: nano(1_000n), includesByok: false, reset: null }

/** A ledger in memory whose settlement is `how`. */
const wrapSettlement = (how: <A>(settled: Effect.Effect<A>) => Effect.Effect<A>) =>
  Layer.effect(
    LedgerStore,
    LedgerStore.useSync((store) => ({
      ...store,
      settle: (id, amount) => how(store.settle(id, amount))
    }))
  ).pipe(Layer.provide(memoryLedgerStore))

const idPattern = /^gen-dec-\d+-[0-9A-Za-z]{20}$/

describe("Decisions", () => {
  const isDecision = Schema.is(Decision)

  it.effect("answers with the provider, the usage and the cost", () =>
    Effect.gen(function* () {
      const decision = yield* submit(decisionRequest)
      assert.isTrue(isDecision(decision))
      assert.match(decision.id!, idPattern)
      assert.deepStrictEqual(
        { ...decision, id: undefined },
        {
          id: undefined,
          model: "a/b",
          provider: "ONE",
          answers: { calm: { type: "noul", noul: 0.75 } },
          usage: { input_tokens: 10, output_tokens: 2, cost: 12e-9 }
        }
      )
    }).pipe(provideWorld({ upstreams: [answers("one")] }))
  )

  it.effect("counts the cost for the key and its workspace", () =>
    Effect.gen(function* () {
      yield* submit(decisionRequest)
      yield* submit(decisionRequest, {
        ...hostCaller,
        account: member.account,
        workspace: member.workspace
      })
      const { usage, usage_daily } = yield* getSpend(Subject.fromKey(KeyHash.make("0".repeat(64))))
      assert.deepStrictEqual({ usage, usage_daily }, { usage: nano(24n), usage_daily: nano(24n) })
      assert.strictEqual((yield* getSpend(Subject.fromWorkspace(member))).usage, nano(48n))
    }).pipe(provideWorld({ upstreams: [answers("one", 10, { cost: nano(24n) })] }))
  )

  it.effect("counts the cost of a failed request", () =>
    Effect.gen(function* () {
      yield* Effect.flip(submit(decisionRequest))
      const { usage } = yield* getSpend(Subject.fromKey(KeyHash.make("0".repeat(64))))
      assert.strictEqual(usage, nano(12n))
    }).pipe(provideWorld({ upstreams: [answers("one", 10, { verdicts: new Map() })] }))
  )

  it.effect(
    "does not count a cost that could not be settled, because its reservation expires and is charged",
    () =>
      Effect.gen(function* () {
        yield* submit(decisionRequest, { ...member, limit: capped })
        assert.strictEqual((yield* getSpend(Subject.fromCaller(member))).usage, nano(0n))
      }).pipe(
        provideWorld({
          upstreams: [answers("one")],
          ledger: wrapSettlement(() => Effect.die("down"))
        }),
        Effect.provide(Logger.layer([]))
      )
  )

  it.effect("counts a late settlement only after its reservation has ended", () =>
    Effect.gen(function* () {
      const usage = Effect.map(getSpend(Subject.fromCaller(member)), (spend) => spend.usage)
      const running = yield* Effect.forkChild(submit(decisionRequest, { ...member, limit: capped }))
      yield* TestClock.adjust(60_000)
      yield* Fiber.join(running)
      assert.strictEqual(yield* usage, nano(0n))
      yield* TestClock.adjust(60_000)
      assert.strictEqual(yield* usage, nano(12n))
    }).pipe(
      provideWorld({
        upstreams: [answers("one")],
        ledger: wrapSettlement((settled) => Effect.delay(settled, 90_000))
      })
    )
  )

  it.effect("counts a reservation made before midnight in the day it was made", () =>
    Effect.gen(function* () {
      const limited: Caller = {
        ...member,
        limit: { cap: nano(150n), includesByok: false, reset: "daily" }
      }
      yield* TestClock.setTime(midnight - 1_000)
      for (const sentAt of [midnight - 1_000, midnight + 1_000]) {
        yield* TestClock.setTime(sentAt)
        const running = yield* Effect.forkChild(submit(decisionRequest, limited))
        yield* TestClock.adjust(2_000)
        yield* Fiber.join(running)
      }
      const { usage_daily, usage_weekly } = yield* getSpend(Subject.fromCaller(limited))
      assert.deepStrictEqual([usage_daily, usage_weekly], [nano(100n), nano(200n)])
    }).pipe(
      provideWorld({
        upstreams: [
          fakeDecisionUpstream("one", () =>
            Effect.delay(Effect.succeed(reply(10, { cost: nano(100n) })), 2_000)
          )
        ]
      })
    )
  )

  it.effect("counts each attempt in the day of its reservation", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(midnight - 1_000)
      const running = yield* Effect.forkChild(submit(decisionRequest))
      yield* TestClock.adjust(2_000)
      yield* Fiber.join(running)
      const { usage_daily, usage_weekly } = yield* getSpend(Subject.fromCaller(member))
      assert.deepStrictEqual([usage_daily, usage_weekly], [nano(24n), nano(74n)])
    }).pipe(
      provideWorld({
        upstreams: [
          fakeDecisionUpstream("one", () =>
            Effect.delay(
              Effect.fail(
                new UpstreamFailure({
                  kind: "server_error",
                  usage: { inputTokens: 50, outputTokens: 0 }
                })
              ),
              2_000
            )
          ),
          answers("two")
        ]
      })
    )
  )

  it.effect("has the catalog id of the model, and the cost that the upstream reports", () =>
    Effect.gen(function* () {
      const { model, usage } = yield* submit(decisionRequest)
      assert.strictEqual(model, "a/b")
      assert.strictEqual(usage.cost, 25e-9)
    }).pipe(
      provideWorld({
        upstreams: [answers("one", 10, { model: "a/b-2030-01-01", cost: nano(25n) })]
      })
    )
  )

  it.effect("charges the images of a state in every attempt", () =>
    Effect.gen(function* () {
      const image = { type: "image_url", image_url: { url: "https://images.example/1.png" } }
      const state = ["Which is it?", image, image]
      const { usage } = yield* submit({ ...decisionRequest, state })
      assert.strictEqual(usage.cost, 0.5)
    }).pipe(
      provideWorld({
        upstreams: [answers("one")],
        endpoints: [{ provider: "one", price: { prompt: "0", completion: "0", image: "0.25" } }]
      })
    )
  )

  it.effect("omits an unknown cost", () =>
    Effect.gen(function* () {
      const { usage } = yield* submit(decisionRequest)
      assert.deepStrictEqual(usage, { input_tokens: 10, output_tokens: 2 })
    }).pipe(
      provideWorld({ upstreams: [answers("one")], endpoints: [{ provider: "one", price: {} }] })
    )
  )

  it.effect("omits the cost when only that of failed attempts is known", () =>
    Effect.gen(function* () {
      const { provider, usage } = yield* submit(decisionRequest)
      assert.strictEqual(provider, "TWO")
      assert.deepStrictEqual(usage, { input_tokens: 60, output_tokens: 2 })
    }).pipe(
      provideWorld({
        upstreams: [
          fails("one", { kind: "server_error", usage: { inputTokens: 50, outputTokens: 0 } }),
          answers("two")
        ],
        endpoints: [
          { provider: "one", price: toTokenPrice(1) },
          { provider: "two", price: {} }
        ]
      })
    )
  )

  it.effect("answers although its record cannot be stored, and logs that", () =>
    Effect.gen(function* () {
      const logged: Array<unknown> = []
      const logger = Logger.layer([Logger.make(({ message }) => logged.push(message))])
      const unrecorded = () => logged.map(String).filter((line) => line.includes("be recorded"))
      const died = yield* submit(decisionRequest).pipe(
        provideWorld({ upstreams: [answers("one")], record: () => Effect.die("store is down") }),
        Effect.provide(logger)
      )
      assert.strictEqual(died.provider, "ONE")
      assert.include(unrecorded().join("\n"), `${died.id} could not be recorded`)
      const thrown = yield* submit(decisionRequest).pipe(
        provideWorld({
          upstreams: [fails("one", { kind: "overloaded" })],
          record: () => {
            throw new Error("store is down")
          }
        }),
        Effect.flip,
        Effect.provide(logger)
      )
      assert.strictEqual(thrown._tag, "AttemptsFailed")
      assert.lengthOf(unrecorded(), 2)
    })
  )

  it.effect("sums the usage and cost of all attempts, including failed ones", () =>
    Effect.gen(function* () {
      const { provider, usage } = yield* submit(decisionRequest)
      assert.strictEqual(provider, "THREE")
      // 50 x 1, an unreported prompt of about 35 tokens at 2, and 12 x 3 nano-USD.
      assert.deepStrictEqual(usage, { input_tokens: 95, output_tokens: 2, cost: 156e-9 })
    }).pipe(
      provideWorld({
        upstreams: [
          fails("one", { kind: "server_error", usage: { inputTokens: 50, outputTokens: 0 } }),
          fails("two", { kind: "timeout" }),
          answers("three")
        ]
      })
    )
  )

  it.effect("sends an upstream only the model, the content and the supported parameters", () =>
    Effect.gen(function* () {
      const calls: Array<DecisionCall> = []
      const request = {
        ...decisionRequest,
        session_id: "s",
        user: "u",
        trace: { trace_name: "t" },
        unknown: true
      }
      yield* submit(request).pipe(
        provideWorld({
          upstreams: [
            fakeDecisionUpstream("one", (call) => {
              calls.push(call)
              return Effect.succeed(reply(1))
            })
          ],
          endpoints: [
            {
              provider: "one",
              model: "b-large",
              price: toTokenPrice(1),
              supportedParameters: ["logprobs"]
            }
          ]
        })
      )
      assert.deepStrictEqual(
        calls.map((call) => ({ ...call })),
        [
          {
            model: "b-large",
            supportedParameters: new Set(["logprobs"]),
            state: decisionRequest.state,
            questions: { calm: { type: "noul", instructions: "Is it calm?" } },
            contentBytes: JSON.stringify({
              state: decisionRequest.state,
              questions: { calm: { type: "noul", instructions: "Is it calm?" } }
            }).length,
            onUsage: calls[0]!.onUsage
          }
        ]
      )
    })
  )

  it.effect("requests the service tier of the endpoint", () => {
    const calls: Array<DecisionCall> = []
    const request = { ...decisionRequest, model: "a/b:floor" }
    return Effect.andThen(
      submit(request),
      Effect.sync(() => assert.deepStrictEqual(calls[0]?.serviceTier, "flex"))
    ).pipe(
      provideWorld({
        upstreams: [
          fakeDecisionUpstream("one", (call) => {
            calls.push(call)
            return Effect.succeed(reply(1))
          })
        ],
        endpoints: [
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

  const incomplete: ReadonlyArray<[string, Partial<DecisionReply>]> = [
    ["lacks an answer", { verdicts: new Map() }],
    [
      "has an answer to a question that was not asked",
      {
        verdicts: new Map([
          ["calm", { weights: [1, 1] }],
          ["more", { weights: [1, 1] }]
        ])
      }
    ],
    ["answers another kind of question", { verdicts: new Map([["calm", { weights: [1] }]]) }]
  ]
  it.effect.each(incomplete)("rejects a reply that %s, and charges its usage", ([, rest]) =>
    Effect.gen(function* () {
      const { provider, usage } = yield* submit(decisionRequest).pipe(
        provideWorld({ upstreams: [answers("one", 40, rest), answers("two", 5)] })
      )
      assert.strictEqual(provider, "TWO")
      assert.deepStrictEqual(usage, { input_tokens: 45, output_tokens: 4, cost: 56e-9 })
      const error = yield* Effect.flip(submit(decisionRequest)).pipe(
        provideWorld({ upstreams: [answers("one", 40, rest)] })
      )
      assert(error._tag === "AttemptsFailed")
      assert.strictEqual(error.attempts[0].failure?.kind, "invalid_answer")
    })
  )

  it.effect("accepts names and labels such as __proto__", () =>
    Effect.gen(function* () {
      const text =
        '{"model":"a/b","state":"x","trace":{"__proto__":"t"},"questions":{"__proto__":' +
        '{"type":"choice","instructions":"?","criteria":{"__proto__":null,"constructor":"x"}}}}'
      const records: Array<Generation> = []
      const decision = yield* submit(text).pipe(
        provideWorld({
          records,
          upstreams: [
            fakeDecisionUpstream("one", () =>
              Effect.succeed(reply(1, { verdicts: new Map([["__proto__", { weights: [3, 1] }]]) }))
            )
          ]
        })
      )
      assert.strictEqual(
        JSON.stringify(decision.answers),
        '{"__proto__":{"type":"choice","choice":"__proto__","confidence":0.5,' +
          '"probabilities":{"__proto__":0.75,"constructor":0.25}}}'
      )
      assert.strictEqual(JSON.stringify(records[0]?.trace), '{"__proto__":"t"}')
    })
  )

  it.effect("rejects management keys without a record", () =>
    Effect.gen(function* () {
      const records: Array<Generation> = []
      for (const kind of ["member", "organization", "host"] as const) {
        yield* submit(decisionRequest, { ...hostCaller, kind }).pipe(
          provideWorld({ upstreams: [answers("one")], records })
        )
      }
      assert.lengthOf(records, 3)
      const error = yield* Effect.flip(
        submit(decisionRequest, { ...hostCaller, kind: "management" })
      ).pipe(
        provideWorld({
          upstreams: [fakeDecisionUpstream("one", () => Effect.die("must not be called"))],
          records
        })
      )
      assert.deepInclude(error, {
        _tag: "NotPermitted",
        kind: "management",
        needs: "a member or organization key"
      })
      assert.lengthOf(records, 3)
    })
  )

  it.effect("calls no provider for a caller without credits", () =>
    Effect.gen(function* () {
      const ledger = yield* Ledger
      yield* ledger.grant(member.account, nano(0n))
      assert.strictEqual((yield* Effect.flip(submit(decisionRequest)))._tag, "LimitExceeded")
      assert.strictEqual((yield* submit(decisionRequest, hostCaller)).provider, "ONE")
    }).pipe(provideWorld({ upstreams: [answers("one")] }))
  )

  it.effect("charges the caller's account, also for failed requests", () =>
    Effect.gen(function* () {
      const ledger = yield* Ledger
      yield* ledger.grant(member.account, nano(1_000n))
      yield* submit(decisionRequest)
      assert.deepStrictEqual(yield* ledger.findCredits(member.account), {
        granted: nano(1_000n),
        settled: nano(74n),
        reserved: nano(0n)
      })
    }).pipe(
      provideWorld({
        upstreams: [
          fails("one", { kind: "invalid_answer", usage: { inputTokens: 50, outputTokens: 0 } }),
          answers("two")
        ]
      })
    )
  )
})

describe("the record of a Decision", () => {
  /** The record of `request` with these upstreams. */
  const recordOf = Effect.fnUntraced(function* (
    upstreams: World["upstreams"],
    request: object = decisionRequest
  ) {
    const records: Array<Generation> = []
    yield* TestClock.setTime(1_700_000_000_000)
    const fiber = yield* Effect.forkChild(
      Effect.exit(submit(request)).pipe(provideWorld({ upstreams, records }))
    )
    yield* TestClock.adjust(100)
    yield* Fiber.interrupt(fiber)
    assert.lengthOf(records, 1)
    const { id, ...record } = records[0]!
    assert.match(id, idPattern)
    return record
  })
  const always = {
    account: member.account,
    workspace: member.workspace,
    keyHash: member.keyHash!,
    user: "ada",
    operation: "decisions" as const,
    startedAt: 1_700_000_000_000,
    requestedModel: "a/b",
    // Made with the instance.
    configuration: 1_700_000_000_000
  }
  const failed = {
    endpoint: "a/b@one",
    provider: "ONE",
    outcome: "overloaded",
    latencyMillis: 7,
    status: 529,
    usage: { inputTokens: 5, outputTokens: 0 },
    cost: nano(5n)
  }
  const overloaded = fakeDecisionUpstream("one", () =>
    Effect.delay(
      Effect.fail(
        new UpstreamFailure({
          kind: "overloaded",
          status: 529,
          usage: { inputTokens: 5, outputTokens: 0 }
        })
      ),
      7
    )
  )

  it.effect("has the caller, the request, the attempts, the provider and the cost", () =>
    Effect.gen(function* () {
      const record = yield* recordOf(
        [overloaded, answers("two", 10, { labelMass: 0.9, method: "logprobs" }), answers("three")],
        {
          ...decisionRequest,
          provider: { sort: "price", ignore: ["three"] },
          session_id: "s",
          user: "u",
          trace: { trace_name: "t" }
        }
      )
      assert.deepStrictEqual(record, {
        ...always,
        latencyMillis: 7,
        model: "a/b",
        provider: "TWO",
        usage: { inputTokens: 15, outputTokens: 2, requests: 2 },
        cost: nano(29n),
        method: "logprobs",
        labelMass: 0.9,
        attempts: [
          failed,
          {
            endpoint: "a/b@two",
            provider: "TWO",
            outcome: "served",
            latencyMillis: 0,
            usage: { inputTokens: 10, outputTokens: 2 },
            cost: nano(24n)
          }
        ],
        strategy: "sort:price",
        preferences: { sort: "price", ignore: ["three"] },
        rejected: [
          {
            endpoint: "a/b@three",
            rule: "ignore",
            source: "request",
            wanted: "none of three",
            found: "three"
          }
        ],
        demoted: [],
        session: "s",
        externalUser: "u",
        trace: { trace_name: "t" }
      })
    })
  )

  it.effect("has the attempts when all of them failed", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* recordOf([overloaded]), {
        ...always,
        latencyMillis: 7,
        error: "AttemptsFailed",
        usage: { inputTokens: 5, outputTokens: 0 },
        cost: nano(5n),
        attempts: [failed],
        strategy: "sort:price",
        preferences: { sort: "price" },
        rejected: [],
        demoted: []
      })
    })
  )

  it.effect("has the attempts and the cost until the caller disconnected", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(
        yield* recordOf([
          overloaded,
          fakeDecisionUpstream("two", () => Effect.never),
          answers("three")
        ]),
        {
          ...always,
          latencyMillis: 100,
          error: "Interrupted",
          usage: { inputTokens: 40, outputTokens: 0, requests: 2 },
          cost: nano(75n),
          attempts: [
            failed,
            {
              endpoint: "a/b@two",
              provider: "TWO",
              outcome: "interrupted",
              latencyMillis: 93,
              usage: { inputTokens: 35, outputTokens: 0, requests: 1 },
              estimated: true,
              cost: nano(70n)
            }
          ],
          strategy: "sort:price",
          preferences: { sort: "price" },
          rejected: [],
          demoted: []
        }
      )
    })
  )

  it.effect("has the reasons why every endpoint was rejected", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(
        yield* recordOf([answers("one")], { ...decisionRequest, provider: { zdr: true } }),
        {
          ...always,
          latencyMillis: 0,
          error: "NoEndpoints",
          attempts: [],
          strategy: "price-weighted",
          preferences: { zdr: true },
          rejected: [
            {
              endpoint: "a/b@one",
              rule: "zdr",
              source: "request",
              wanted: "zero data retention",
              found: "retains data"
            }
          ],
          demoted: []
        }
      )
    })
  )

  it.effect("reports an unknown model", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(
        yield* recordOf([answers("one")], { ...decisionRequest, model: "x/y" }),
        {
          ...always,
          requestedModel: "x/y",
          latencyMillis: 0,
          error: "ModelNotFound",
          preferences: { sort: "price" },
          attempts: [],
          rejected: [],
          demoted: []
        }
      )
    })
  )

  it.effect("reports a defect of an upstream as a failed attempt", () =>
    Effect.gen(function* () {
      const buggy = fakeDecisionUpstream("one", () => Effect.die("bug"))
      const record = yield* recordOf([buggy])
      assert.strictEqual(record.error, "AttemptsFailed")
      assert.deepStrictEqual(
        record.attempts.map(({ outcome }) => outcome),
        ["defect"]
      )
      const { provider } = yield* submit({ ...decisionRequest, provider: { sort: "price" } }).pipe(
        provideWorld({ upstreams: [buggy, answers("two")] })
      )
      assert.strictEqual(provider, "TWO")
    })
  )
})

describe("the span of a Decision", () => {
  it.effect("has the name of its trace, and ends with the request", () =>
    Effect.gen(function* () {
      const { spans, tracer } = recordingTracer()
      const trace = {
        trace_id: "0af7651916cd43dd8448eb211c80319c",
        parent_span_id: "b7ad6b7169203331",
        span_name: "triage",
        customer: "acme"
      }
      yield* Effect.result(submit({ ...decisionRequest, trace })).pipe(
        Effect.provideService(Tracer.Tracer, tracer)
      )
      const span = spans.find(({ name }) => name === "triage")!
      assert.strictEqual(Option.getOrThrow(span.parent).spanId, trace.parent_span_id)
      assert.strictEqual(span.attributes.get("trace.customer"), "acme")
      assert.strictEqual(span.status._tag, "Ended")
    }).pipe(provideWorld({ upstreams: [answers("one")] }))
  )

  it.effect("is called decision by default, also for a Decision that fails", () =>
    Effect.gen(function* () {
      const { spans, tracer } = recordingTracer()
      const result = yield* Effect.result(submit({ ...decisionRequest, model: "x/y" })).pipe(
        Effect.provideService(Tracer.Tracer, tracer)
      )
      assert.isTrue(Result.isFailure(result))
      const { status } = spans.find(({ name }) => name === "decision")!
      assert.isTrue(status._tag === "Ended" && Exit.isFailure(status.exit))
    }).pipe(provideWorld({ upstreams: [answers("one")] }))
  )

  it.effect("reports the outcome, and contains a span for each attempt", () =>
    Effect.gen(function* () {
      const { spans, tracer } = recordingTracer()
      const { id } = yield* submit(decisionRequest).pipe(
        Effect.provideService(Tracer.Tracer, tracer)
      )
      assert.deepStrictEqual(
        spans.map(({ kind, name }) => [name, kind]),
        [
          ["decision", "server"],
          ["decisions a/b", "client"],
          ["decisions a/b", "client"]
        ]
      )
      const [request, failed, served] = spans
      const inside = spans.slice(1).map(({ parent }) => Option.getOrThrow(parent).spanId)
      assert.deepStrictEqual(inside, [request!.spanId, request!.spanId])
      const known = { "gen_ai.operation.name": "decisions", "gen_ai.request.model": "a/b" }
      assert.deepStrictEqual(Object.fromEntries(request!.attributes), {
        ...known,
        "gen_ai.provider.name": "two",
        "gen_ai.response.model": "a/b-2030-01-01",
        "gen_ai.response.id": id,
        "enduser.id": "ada",
        "gen_ai.usage.input_tokens": 60,
        "gen_ai.usage.output_tokens": 2
      })
      assert.deepStrictEqual(Object.fromEntries(failed!.attributes), {
        ...known,
        "signalbox.endpoint.id": "a/b@one",
        "gen_ai.provider.name": "one",
        "gen_ai.usage.input_tokens": 50,
        "gen_ai.usage.output_tokens": 0,
        "http.response.status_code": 503,
        "error.type": "server_error"
      })
      assert.deepStrictEqual(Object.fromEntries(served!.attributes), {
        ...known,
        "signalbox.endpoint.id": "a/b@two",
        "gen_ai.provider.name": "two",
        "gen_ai.response.model": "a/b-2030-01-01",
        "gen_ai.usage.input_tokens": 10,
        "gen_ai.usage.output_tokens": 2
      })
      assert.isTrue(spans.every(({ status }) => status._tag === "Ended"))
    }).pipe(
      provideWorld({
        upstreams: [
          fails("one", {
            kind: "server_error",
            status: 503,
            detail: "It is fine.",
            usage: { inputTokens: 50, outputTokens: 0 }
          }),
          answers("two", 10, { model: "a/b-2030-01-01" })
        ]
      })
    )
  )

  it.effect("reports the type of a failure, but not its text", () =>
    Effect.gen(function* () {
      const { spans, tracer } = recordingTracer()
      for (const model of ["a/b", "my/secret"]) {
        yield* Effect.result(submit({ ...decisionRequest, model })).pipe(
          Effect.provideService(Tracer.Tracer, tracer)
        )
      }
      assert.deepStrictEqual(
        spans.map(({ attributes }) => attributes.get("error.type")),
        ["AttemptsFailed", "server_error", "ModelNotFound"]
      )
      for (const { attributes, name, status } of spans) {
        assert.isTrue(status._tag === "Ended" && Exit.isFailure(status.exit))
        assert.notMatch(
          JSON.stringify([name, status, ...attributes], withoutBigInts),
          /fine|secret/
        )
      }
    }).pipe(
      provideWorld({ upstreams: [fails("one", { kind: "server_error", detail: "It is fine." })] })
    )
  )

  it.effect("ends the span of an attempt that is interrupted", () =>
    Effect.gen(function* () {
      const { spans, tracer } = recordingTracer()
      const running = yield* Effect.forkChild(
        submit(decisionRequest).pipe(Effect.provideService(Tracer.Tracer, tracer))
      )
      yield* TestClock.adjust(1)
      yield* Fiber.interrupt(running)
      assert.deepStrictEqual(
        spans.map(({ attributes, status }) => [status._tag, attributes.get("error.type")]),
        [
          ["Ended", "Interrupted"],
          ["Ended", "Interrupted"]
        ]
      )
    }).pipe(provideWorld({ upstreams: [fakeDecisionUpstream("one", () => Effect.never)] }))
  )
})

const withoutBigInts = (_: string, value: unknown): unknown =>
  typeof value === "bigint" ? Number(value) : value
