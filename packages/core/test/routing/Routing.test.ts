import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import type { Account } from "../../src/tenants/accounts/Account.ts"
import { hostCaller } from "../../src/tenants/auth/Caller.ts"
import type { CredentialRefusal } from "../../src/tenants/byok/UsableCredential.ts"
import { Catalog } from "../../src/engine/catalog/Catalog.ts"
import { Health } from "../../src/engine/health/Health.ts"
import { Ledger } from "../../src/engine/ledger/Ledger.ts"
import { LedgerStore, type ReservationRequest } from "../../src/engine/ledger/LedgerStore.ts"
import { MemoryJournal } from "../../src/memory/MemoryJournal.ts"
import type { AttemptSuccess } from "../../src/routing/RouteWork.ts"
import type { RouteAttempt } from "../../src/routing/attempt/RouteAttempt.ts"
import type { Plan } from "../../src/routing/plan/plan.ts"
import type { Preferences } from "../../src/routing/Preferences.ts"
import type { RouteTarget } from "../../src/routing/RouteWork.ts"
import type { RouteQuery } from "../../src/routing/RouteQuery.ts"
import { Routing } from "../../src/routing/Routing.ts"
import { UnsealFailed } from "../../src/engine/secrets/Sealer.ts"
import type { DecisionCapability } from "../../src/engine/upstreams/DecisionCapability.ts"
import type { Upstream } from "../../src/engine/upstreams/Upstream.ts"
import {
  FailureKind,
  UpstreamFailure
} from "../../src/engine/upstreams/failures/UpstreamFailure.ts"
import { AccountId, defaultAccountId } from "../../src/values/ids/Ids.ts"
import { make as nano, zero } from "../../src/values/usage/NanoUsd.ts"
import type { TokenUsage } from "../../src/values/usage/TokenUsage.ts"
import {
  toTokenPrice,
  fakeDecisionUpstream,
  makeWorld,
  type World
} from "../domains/decisions/decisionFixtures.ts"
import { makeUsable } from "./makeUsable.ts"
import { memoryLedgerStore } from "../../src/memory/memoryLedgerStore.ts"
import { memorySpendCounters } from "../../src/memory/memorySpendCounters.ts"

const unused = () => Effect.die("the work of the test runs instead")
/** Three upstreams at 1, 2 and 3 nano-USD a token, each with a worst case of 100 tokens. */
const upstreams = [
  fakeDecisionUpstream("one", unused),
  fakeDecisionUpstream("two", unused),
  fakeDecisionUpstream("three", unused)
]

const query = (
  preferences: Preferences = {},
  rest: Partial<RouteQuery<DecisionCapability>> = {}
): RouteQuery<DecisionCapability> => ({
  caller: hostCaller,
  models: ["a/b"],
  operation: "decisions",
  capability: (upstream: Upstream) => upstream.decisions,
  preferences,
  requirements: { parameters: [], inputTokens: 10, outputTokens: 0 },
  ...rest
})

type Outcome = Effect.Effect<AttemptSuccess<string>, UpstreamFailure, Ledger>
type Outcomes = Readonly<
  Record<
    string,
    Outcome | ((spent: (usage: TokenUsage) => void, target: RouteTarget<unknown>) => Outcome)
  >
>

/** Routes by price with the given outcome at each provider. */
const route = Effect.fnUntraced(function* (
  outcomes: Outcomes,
  asked = query({ sort: "price" }),
  heard: { plan?: Plan; readonly attempts: Array<RouteAttempt> } = { attempts: [] }
) {
  const routing = yield* Routing
  return yield* routing.route<DecisionCapability, string, Ledger>(
    asked,
    {
      getWorstCase: ({ capability, candidate }) =>
        capability.estimateWorstCase({
          model: candidate.endpoint.upstreamModel,
          supportedParameters: new Set(),
          state: "",
          questions: {},
          contentBytes: 0,
          onUsage: () => {}
        }),
      run: (target, { reportUsage: spent }) => {
        const { endpoint, id } = target.candidate
        const outcome = outcomes[endpoint.tag] ?? Effect.die(`unexpected call of ${id}`)
        return typeof outcome === "function" ? outcome(spent, target) : outcome
      }
    },
    {
      onPlan: ({ plan }) => {
        heard.plan = plan
      },
      onAttempt: (attempted) => {
        heard.attempts.push(attempted)
      }
    }
  )
})

const credits = Effect.map(
  Effect.flatMap(Ledger, (ledger) => ledger.findCredits(defaultAccountId)),
  (credits) => credits && { settled: BigInt(credits.settled), reserved: BigInt(credits.reserved) }
)
const grant = (amount: bigint) =>
  Effect.flatMap(Ledger, (ledger) => ledger.grant(defaultAccountId, nano(amount)))

const serve = (value: string, tokens = 10) =>
  Effect.succeed({ value, usage: { inputTokens: tokens, outputTokens: 0 } })
const fail = (kind: FailureKind, tokens?: number) =>
  Effect.fail(
    new UpstreamFailure({
      kind,
      ...(tokens === undefined ? undefined : { usage: { inputTokens: tokens, outputTokens: 0 } })
    })
  )

const withServices = <A, E>(
  effect: Effect.Effect<A, E, Routing | Ledger | Health | Catalog>,
  rest: Partial<World> = {}
) => Effect.provide(effect, makeWorld({ upstreams, ...rest }))

const toTags = ({ ordered }: Plan) => ordered.map(({ endpoint }) => endpoint.tag)

const memory = memoryLedgerStore.pipe(
  Layer.provide([MemoryJournal.layer, Layer.provide(memorySpendCounters, MemoryJournal.layer)])
)

/** A ledger whose store takes this many milliseconds to look up and to reserve. */
const slowLedger = ({ look = 0, reserve = 0 }) =>
  Layer.effect(
    LedgerStore,
    Effect.map(LedgerStore, (store) => ({
      ...store,
      findGrantedCredits: (account: AccountId) =>
        Effect.delay(store.findGrantedCredits(account), look),
      reserve: (request: ReservationRequest) => Effect.delay(store.reserve(request), reserve)
    }))
  ).pipe(Layer.provide(memory))

/**
 * The endpoints that may serve a request of a restricted account, and the rules that reject the
 * others.
 */
const routeRestricted = (account: Omit<Account, "id">, preferences: Preferences = {}) =>
  Effect.gen(function* () {
    const routing = yield* Routing
    const { plan: planned } = yield* routing.plan(query({ ...preferences, sort: "price" }))
    const reasons = planned.rejected.flatMap(({ reasons }) =>
      reasons.map(({ rule, source }) => `${rule} of ${source}`)
    )
    return [toTags(planned).join(), ...new Set(reasons)]
  }).pipe((effect) =>
    withServices(effect, {
      accounts: [{ id: defaultAccountId, ...account }],
      endpoints: [
        { provider: "one", price: toTokenPrice(1) },
        {
          provider: "two",
          price: toTokenPrice(2),
          data: { collects: false, trains: false, retains: true }
        },
        { provider: "three", price: {}, data: { collects: false, trains: false, retains: false } }
      ]
    })
  )

const models = ["a/b"]
const listCredentials = (observed: { readonly attempts: ReadonlyArray<RouteAttempt> }) =>
  observed.attempts.map(({ candidate: { credential, endpoint } }) => [endpoint.tag, credential?.id])

const failRateLimited = (_: unknown, { credential }: RouteTarget<unknown>) =>
  credential === undefined ? serve("on the host's") : fail("rate_limited")

describe("Routing", () => {
  it.effect("returns the result, its endpoint and its attempts", () =>
    Effect.gen(function* () {
      const heard = { attempts: [] as Array<RouteAttempt> }
      const { attempts, candidate, value } = yield* route(
        { one: fail("overloaded"), two: serve("from two") },
        query({ sort: "price" }),
        heard
      )
      assert.strictEqual(value, "from two")
      assert.strictEqual(candidate.providerName, "TWO")
      assert.deepStrictEqual(
        attempts.map(({ candidate, cost, failure }) => [candidate.id, failure?.kind, cost]),
        [
          ["a/b@one", "overloaded", undefined],
          ["a/b@two", undefined, nano(20n)]
        ]
      )
      assert.deepStrictEqual(heard.attempts, attempts)
    }).pipe(withServices)
  )

  it.effect(
    "fails with the facts when the model is unknown or does not support the operation",
    () =>
      Effect.gen(function* () {
        const unknown = yield* Effect.flip(route({}, query({}, { models: ["a/b", "x/y"] })))
        assert.deepInclude(unknown, { _tag: "ModelNotFound", model: "x/y" })
        const wrong = yield* Effect.flip(route({}, query({}, { capability: () => undefined })))
        assert.deepInclude(wrong, { _tag: "WrongOperation", model: "a/b", operation: "decisions" })
      }).pipe(withServices)
  )

  it.effect("skips endpoints whose upstream does not support the operation", () =>
    Effect.gen(function* () {
      const { candidate } = yield* route({ two: serve("from two") })
      assert.strictEqual(candidate.providerName, "TWO")
    }).pipe((effect) =>
      withServices(effect, {
        upstreams: [{ slug: "one", name: "One" }, fakeDecisionUpstream("two", unused)]
      })
    )
  )

  it.effect("reports why every endpoint is removed", () =>
    Effect.gen(function* () {
      const heard: { plan?: Plan; attempts: Array<RouteAttempt> } = { attempts: [] }
      const error = yield* Effect.flip(route({}, query({ only: ["four"], zdr: true }), heard))
      assert(error._tag === "NoEndpoints")
      assert.deepStrictEqual(error.models, ["a/b"])
      assert.deepStrictEqual(
        error.rejected.map(({ candidate, reasons }) => [
          candidate.id,
          ...reasons.map(({ rule }) => rule)
        ]),
        ["one", "two", "three"].map((tag) => [`a/b@${tag}`, "only", "zdr"])
      )
      assert.deepStrictEqual(heard.plan?.rejected, error.rejected)
    }).pipe(withServices)
  )

  it.effect("plans without executing, even if no candidate is left", () =>
    Effect.gen(function* () {
      const routing = yield* Routing
      const { plan } = yield* routing.plan(query({ sort: "price" }))
      assert.deepStrictEqual(toTags(plan), ["one", "two", "three"])
      const { plan: empty } = yield* routing.plan(query({ only: ["elsewhere"] }))
      assert.deepStrictEqual(empty.ordered, [])
      assert.lengthOf(empty.rejected, 3)
      const drawn = Effect.map(
        Effect.all(Array.from({ length: 50 }, () => routing.plan(query()))),
        (plans) => plans.map(({ plan }) => toTags(plan))
      )
      const plans = yield* Random.withSeed(drawn, "seed")
      assert.deepStrictEqual(yield* Random.withSeed(drawn, "seed"), plans)
      assert.isAbove(new Set(plans.map(([first]) => first)).size, 1)
      assert.strictEqual((yield* routing.plan(query())).plan.strategy, "price-weighted")
      // The explanation has everything needed to repeat the plan.
      const first = yield* routing.plan(query())
      yield* route({ one: fail("server_error"), two: serve("from two") }, query({ sort: "price" }))
      assert.deepStrictEqual(yield* routing.plan(query(), first), first)
      assert.notDeepEqual(yield* routing.plan(query(), { seed: first.seed }), first)
    }).pipe(withServices)
  )

  describe("within an account", () => {
    const cases: ReadonlyArray<[Omit<Account, "id">, Preferences, ReadonlyArray<string>]> = [
      [{}, {}, ["one,two,three"]],
      [{ zdr: false, dataCollection: "allow" }, {}, ["one,two,three"]],
      [{ only: ["one", "two"] }, {}, ["one,two", "only of account"]],
      [
        { only: ["one", "two"] },
        { only: ["two", "three"] },
        ["two", "only of request", "only of account"]
      ],
      [{ only: [] }, {}, ["", "only of account"]],
      [
        { ignore: ["one"] },
        { ignore: ["two"] },
        ["three", "ignore of account", "ignore of request"]
      ],
      [{ zdr: true }, { zdr: false }, ["three", "zdr of account"]],
      [
        { dataCollection: "deny" },
        { data_collection: "allow" },
        ["two,three", "data_collection of account"]
      ],
      [
        { dataCollection: "deny" },
        { max_price: { prompt: "1000" } },
        ["two", "data_collection of account", "max_price of request"]
      ]
    ]
    it.effect.each(cases)(
      "that restricts %j routes a request of %j accordingly",
      ([account, asked, expected]) =>
        Effect.gen(function* () {
          assert.deepStrictEqual(yield* routeRestricted(account, asked), expected)
        })
    )

    it.effect("does not affect other accounts", () =>
      Effect.gen(function* () {
        const routing = yield* Routing
        const caller = { ...hostCaller, account: AccountId.make("other") }
        assert.lengthOf((yield* routing.plan(query({}, { caller }))).plan.ordered, 3)
        assert.lengthOf((yield* routing.plan(query())).plan.ordered, 1)
      }).pipe((effect) =>
        withServices(effect, { accounts: [{ id: defaultAccountId, only: ["one"] }] })
      )
    )
  })

  describe("for an account with credits", () => {
    it.effect("reserves the worst case of an attempt, and charges its usage", () =>
      Effect.gen(function* () {
        yield* grant(1_000n)
        const during: Array<unknown> = []
        const look = Effect.map(credits, (credits) => void during.push(credits))
        yield* route({
          one: Effect.andThen(look, fail("overloaded")),
          two: Effect.andThen(look, serve("from two", 30))
        })
        assert.deepStrictEqual(during, [
          { settled: 0n, reserved: 100n },
          { settled: 0n, reserved: 200n }
        ])
        assert.deepStrictEqual(yield* credits, { settled: 60n, reserved: 0n })
      }).pipe(withServices)
    )

    it.effect("charges the cost that the upstream reports", () =>
      Effect.gen(function* () {
        yield* grant(1_000n)
        const usage = { inputTokens: 30, outputTokens: 0 }
        yield* route({ one: Effect.succeed({ value: "v", usage, cost: nano(77n) }) })
        assert.deepStrictEqual(yield* credits, { settled: 77n, reserved: 0n })
      }).pipe(withServices)
    )

    it.effect("charges the usage that failed attempts report", () =>
      Effect.gen(function* () {
        yield* grant(1_000n)
        const error = yield* Effect.flip(
          route({
            one: fail("invalid_answer", 50),
            two: fail("timeout"),
            three: fail("server_error", 10)
          })
        )
        assert(error._tag === "AttemptsFailed")
        assert.deepStrictEqual(
          error.attempts.map(({ cost }) => cost),
          [nano(50n), undefined, nano(30n)]
        )
        assert.deepStrictEqual(yield* credits, { settled: 80n, reserved: 0n })
      }).pipe(withServices)
    )

    it.effect("never charges more than the credits, however much an upstream uses", () =>
      Effect.gen(function* () {
        yield* grant(150n)
        yield* route({ one: serve("dear", 1_100) })
        assert.deepStrictEqual(yield* credits, { settled: 150n, reserved: 0n })
        const error = yield* Effect.flip(route({}))
        assert.deepInclude(error, { _tag: "LimitExceeded", available: zero })
      }).pipe(withServices)
    )

    it.effect("calls no provider when the credits do not cover the worst case", () =>
      Effect.gen(function* () {
        yield* grant(99n)
        const error = yield* Effect.flip(route({}))
        // The last candidate: 3 nano-USD for each of 100 tokens.
        assert.deepInclude(error, {
          _tag: "LimitExceeded",
          amount: nano(300n),
          available: nano(99n)
        })
        assert.deepStrictEqual(yield* credits, { settled: 0n, reserved: 0n })
      }).pipe(withServices)
    )

    it.effect("serves from free endpoints without credits", () =>
      Effect.gen(function* () {
        yield* grant(0n)
        assert.strictEqual((yield* route({ one: serve("for free") })).value, "for free")
        assert.deepStrictEqual(yield* credits, { settled: 0n, reserved: 0n })
      }).pipe((effect) =>
        withServices(effect, { endpoints: [{ provider: "one", price: toTokenPrice(0) }] })
      )
    )

    it.effect("skips candidates that cost more than the remaining credits", () =>
      Effect.gen(function* () {
        yield* grant(150n)
        const { attempts, value } = yield* route(
          { one: serve("from one", 1) },
          query({ order: ["three", "two", "one"] })
        )
        assert.strictEqual(value, "from one")
        assert.lengthOf(attempts, 1)
      }).pipe(withServices)
    )

    it.effect("calls no endpoint of unknown price", () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* route({ one: serve("unlimited") })).value, "unlimited")
        yield* grant(1_000_000n)
        const error = yield* Effect.flip(route({}))
        assert(error._tag === "NoEndpoints")
        assert.deepStrictEqual(error.rejected[0]?.reasons[0]?.rule, "unknown_price")
      }).pipe((effect) => withServices(effect, { endpoints: [{ provider: "one", price: {} }] }))
    )

    it.effect("calls no endpoint whose price became unknown after the plan", () =>
      Effect.gen(function* () {
        const limiting = Effect.andThen(grant(1_000_000n), fail("overloaded"))
        const failed = yield* Effect.flip(route({ one: limiting }))
        assert(failed._tag === "AttemptsFailed")
        assert.deepStrictEqual(
          failed.attempts.map(({ candidate }) => candidate.id),
          ["a/b@one"]
        )
      }).pipe((effect) =>
        withServices(effect, {
          endpoints: [
            { provider: "one", price: toTokenPrice(1) },
            { provider: "two", price: {} }
          ]
        })
      )
    )

    it.effect("calls no endpoint of unknown price once spending is limited", () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(
          route(
            { one: Effect.andThen(grant(1_000n), fail("overloaded")) },
            query({ order: ["one", "two"] })
          )
        )
        assert(error._tag === "AttemptsFailed")
        assert.lengthOf(error.attempts, 1)
      }).pipe((effect) =>
        withServices(effect, {
          endpoints: [
            { provider: "one", price: toTokenPrice(1) },
            { provider: "two", price: {} }
          ]
        })
      )
    )

    it.effect("loads the limits for each attempt, because credits may have been granted", () =>
      Effect.gen(function* () {
        yield* grant(100n)
        const { value } = yield* route({
          one: Effect.andThen(grant(100n), fail("overloaded")),
          two: serve("from two")
        })
        assert.strictEqual(value, "from two")
        assert.deepStrictEqual(yield* credits, { settled: 20n, reserved: 0n })
      }).pipe(withServices)
    )

    it.effect("charges the usage reported before the caller disconnected", () =>
      Effect.gen(function* () {
        yield* grant(1_000n)
        const heard = { attempts: [] as Array<RouteAttempt> }
        const usage = { inputTokens: 30, outputTokens: 0 }
        const fiber = yield* Effect.forkChild(
          route(
            {
              one: (spent) =>
                Effect.suspend(() => {
                  spent(usage)
                  return Effect.never
                })
            },
            query({ sort: "price" }),
            heard
          )
        )
        yield* TestClock.adjust(10)
        yield* Fiber.interrupt(fiber)
        assert.deepStrictEqual(yield* credits, { settled: 30n, reserved: 0n })
        assert.deepInclude(heard.attempts[0], {
          abortReason: "interrupted",
          usage,
          cost: nano(30n)
        })
        const health = yield* Health
        assert.deepStrictEqual((yield* health.reportAll).endpoints, {})
      }).pipe(withServices)
    )

    it.effect("reserves and charges a price per request for each request", () =>
      Effect.gen(function* () {
        yield* grant(1_000n)
        const during: Array<unknown> = []
        yield* route({
          one: Effect.andThen(
            Effect.map(credits, (credits) => void during.push(credits)),
            Effect.succeed({
              value: "v",
              usage: { inputTokens: 1, outputTokens: 0, requests: 3 }
            })
          )
        })
        assert.deepStrictEqual(during, [{ settled: 0n, reserved: 500n }])
        assert.deepStrictEqual(yield* credits, { settled: 300n, reserved: 0n })
      }).pipe((effect) =>
        withServices(effect, {
          upstreams: [
            fakeDecisionUpstream("one", unused, () => ({
              inputTokens: 9,
              outputTokens: 9,
              requests: 5
            }))
          ],
          endpoints: [
            { provider: "one", price: { prompt: "0", completion: "0", request: "100e-9" } }
          ]
        })
      )
    )

    it.effect("releases the reservation when the caller disconnects", () =>
      Effect.gen(function* () {
        yield* grant(1_000n)
        let aborted = false
        const waiting = Effect.onInterrupt(Effect.never, () =>
          Effect.sync(() => {
            aborted = true
          })
        )
        const fiber = yield* Effect.forkChild(route({ one: fail("timeout", 20), two: waiting }))
        yield* TestClock.adjust(10)
        assert.deepStrictEqual(yield* credits, { settled: 20n, reserved: 200n })
        yield* Fiber.interrupt(fiber)
        assert.isTrue(aborted)
        assert.deepStrictEqual(yield* credits, { settled: 20n, reserved: 0n })
      }).pipe(withServices)
    )

    it.effect("releases the reservation after a timeout or a defect of an upstream", () =>
      Effect.gen(function* () {
        yield* grant(1_000n)
        const alone = query({ only: ["one"] })
        const fiber = yield* Effect.forkChild(Effect.flip(route({ one: Effect.never }, alone)))
        yield* TestClock.adjust(5_000)
        const error = yield* Fiber.join(fiber)
        assert(error._tag === "AttemptsFailed")
        assert.strictEqual(error.attempts[0].failure?.phase, "total")
        assert.deepStrictEqual(yield* credits, { settled: 0n, reserved: 0n })
        const exit = yield* Effect.exit(route({ one: Effect.die("bug") }))
        assert.deepStrictEqual(exit, Exit.die("bug"))
        assert.deepStrictEqual(yield* credits, { settled: 0n, reserved: 0n })
      }).pipe((effect) => withServices(effect, { settings: { totalTimeoutMillis: 5_000 } }))
    )

    it.effect("never overspends, however many requests are concurrent", () =>
      Effect.gen(function* () {
        yield* grant(1_000n)
        const slow = Effect.delay(serve("from one", 60), 10)
        const fiber = yield* Effect.forkChild(
          Effect.all(
            Array.from({ length: 30 }, () =>
              Effect.result(route({ one: slow }, query({ only: ["one"] })))
            ),
            { concurrency: "unbounded" }
          )
        )
        yield* TestClock.adjust(100)
        const served = (yield* Fiber.join(fiber)).filter(Result.isSuccess)
        assert.lengthOf(served, 10)
        assert.deepStrictEqual(yield* credits, { settled: 600n, reserved: 0n })
      }).pipe(withServices)
    )
  })

  it.effect("makes at most the configured number of attempts", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(route({ one: fail("timeout"), two: fail("timeout") }))
      assert(error._tag === "AttemptsFailed")
      assert.lengthOf(error.attempts, 2)
    }).pipe((effect) => withServices(effect, { settings: { maxAttempts: 2 } }))
  )

  describe("when time runs out", () => {
    const impatient = { settings: { totalTimeoutMillis: 5_000 } }

    it.effect.each([
      ["over the plan", slowLedger({ look: 6_000 })],
      ["over a reservation", slowLedger({ reserve: 6_000 })]
    ] as const)("%s, blames no endpoint and no rule", ([, ledger]) =>
      Effect.gen(function* () {
        const heard = { attempts: [] as Array<RouteAttempt> }
        yield* grant(1_000n)
        const fiber = yield* Effect.forkChild(
          Effect.flip(route({}, query({ sort: "price" }), heard))
        )
        yield* TestClock.adjust(5_000)
        assert.deepInclude(yield* Fiber.join(fiber), { _tag: "DeadlineExceeded", models: ["a/b"] })
        assert.deepStrictEqual(heard.attempts, [])
        yield* TestClock.adjust(10_000)
        const left = yield* Effect.forkChild(credits)
        yield* TestClock.adjust(10_000)
        assert.deepStrictEqual(yield* Fiber.join(left), { settled: 0n, reserved: 0n })
        const health = yield* Health
        assert.deepStrictEqual((yield* health.reportAll).endpoints, {})
      }).pipe((effect) => withServices(effect, { ...impatient, ledger }))
    )

    it.effect(
      "leaves time for a fallback after a hanging provider, and counts the timeout against it",
      () =>
        Effect.gen(function* () {
          const fiber = yield* Effect.forkChild(
            route(
              { one: Effect.never, two: Effect.delay(serve("from two"), 2_400) },
              query({ order: ["one", "two"], only: ["one", "two"] })
            )
          )
          yield* TestClock.adjust(5_000)
          const { attempts, value } = yield* Fiber.join(fiber)
          assert.strictEqual(value, "from two")
          assert.deepInclude(attempts[0]?.failure, { kind: "timeout", phase: "attempt" })
          const { endpoints } = yield* Effect.flatMap(Health, ({ reportAll }) => reportAll)
          assert.deepStrictEqual(endpoints["a/b@one"]?.outage, { failures: 1, of: 1 })
        }).pipe((effect) => withServices(effect, impatient))
    )
  })

  describe("and health", () => {
    const outages = Effect.map(
      Effect.flatMap(Health, ({ reportAll }) => reportAll),
      ({ endpoints }) => Object.keys(endpoints).filter((id) => endpoints[id]?.outage !== undefined)
    )

    it.effect("moves an endpoint behind the others after a failure, until the window ends", () =>
      Effect.gen(function* () {
        const routing = yield* Routing
        yield* route({ one: fail("server_error"), two: serve("from two") })
        assert.deepStrictEqual(yield* outages, ["a/b@one"])
        for (let i = 0; i < 20; i++) {
          assert.strictEqual(toTags((yield* routing.plan(query())).plan).at(-1), "one")
        }
        yield* TestClock.adjust(31_000)
        assert.deepStrictEqual(yield* outages, [])
      }).pipe(withServices)
    )

    const forgiven = new Set<FailureKind>([
      "rate_limited",
      "forbidden",
      "bad_request",
      "context_length",
      "unsupported_parameter",
      "content_refused"
    ])
    it.effect.each(FailureKind.literals)("counts %s for health by its rule", (kind) =>
      Effect.gen(function* () {
        yield* Effect.result(route({ one: fail(kind) }, query({ only: ["one"] })))
        assert.deepStrictEqual(yield* outages, forgiven.has(kind) ? [] : ["a/b@one"])
      }).pipe(withServices)
    )
  })

  it.effect("reserves and charges nothing for a customer's own credential", () =>
    Effect.gen(function* () {
      yield* grant(1n)
      const routed = yield* route({ two: serve("served") })
      assert.strictEqual(routed.value, "served")
      assert.deepStrictEqual(yield* credits, { settled: 0n, reserved: 0n })
      const [{ cost, upstreamCost } = {}] = routed.attempts
      assert.deepStrictEqual([cost, upstreamCost], [nano(0n), nano(20n)])
    }).pipe((effect) =>
      withServices(effect, { usable: [makeUsable({ id: "k", provider: "two", models })] })
    )
  )

  it.effect(
    "gives each attempt its own secret, redacts it from failures, and notifies its owner",
    () => {
      const refusals: Array<CredentialRefusal> = []
      const secrets: Array<string | undefined> = []
      const unopened = Effect.fail(new UnsealFailed({ keyId: "gone" }))
      const brought = [
        makeUsable({ id: "a", provider: "three", models, secret: unopened, refusals }),
        makeUsable({ id: "b", provider: "three", models, sort_order: 1, refusals }),
        makeUsable({
          id: "c",
          provider: "three",
          models,
          sort_order: 2,
          is_fallback: true,
          refusals
        })
      ]
      return Effect.gen(function* () {
        const heard = { attempts: new Array<RouteAttempt>() }
        const refused = (_: unknown, { credential }: RouteTarget<unknown>) => {
          const secret = credential === undefined ? undefined : Redacted.value(credential)
          secrets.push(secret)
          return Effect.fail(
            new UpstreamFailure({ kind: "forbidden", status: 403, detail: `not ${secret}` })
          )
        }
        yield* Effect.flip(route({ one: refused, two: refused, three: refused }, undefined, heard))
        assert.deepStrictEqual(listCredentials(heard), [
          ["three", "a"],
          ["three", "b"],
          ["one", undefined],
          ["two", undefined],
          ["three", undefined],
          ["three", "c"]
        ])
        assert.deepStrictEqual(secrets, [
          "secret of b",
          undefined,
          undefined,
          undefined,
          "secret of c"
        ])
        assert.deepStrictEqual(
          heard.attempts.map(({ failure }) => failure?.detail),
          [
            "the credential could not be opened",
            "not [redacted]",
            "not undefined",
            "not undefined",
            "not undefined",
            "not [redacted]"
          ]
        )
        assert.deepStrictEqual(
          refusals.map(({ kind, status }) => [kind, status]),
          [
            ["credential_refused", undefined],
            ["forbidden", 403],
            ["forbidden", 403]
          ]
        )
      }).pipe((effect) => withServices(effect, { usable: brought }))
    }
  )

  it.effect("does not wait until a rejection is reported", () => {
    const refusals: Array<CredentialRefusal> = []
    const gate = Latch.makeUnsafe()
    const brought = makeUsable({ id: "k", provider: "one", models, refusals, gate: gate.await })
    return Effect.gen(function* () {
      const outcomes: Outcomes = {
        one: (_, { credential }) =>
          credential === undefined ? serve("served") : fail("credential_refused")
      }
      const asked = query({ only: ["one"] })
      const served = Effect.map(route(outcomes, asked), ({ value }) => value)
      assert.strictEqual(yield* served, "served")
      assert.strictEqual(yield* served, "served")
      assert.lengthOf(refusals, 1, "one at a time")
      yield* gate.open
      yield* Effect.yieldNow
      assert.strictEqual(yield* served, "served")
      assert.lengthOf(refusals, 2)
    }).pipe((effect) => withServices(effect, { usable: [brought] }))
  })

  it.effect("skips a rate-limited credential, but not its endpoint", () =>
    Effect.gen(function* () {
      const asked = query({ only: ["one"] })
      const heard = { attempts: new Array<RouteAttempt>() }
      yield* route({ one: failRateLimited }, asked, heard)
      yield* route({ one: failRateLimited }, asked, heard)
      assert.deepStrictEqual(listCredentials(heard), [
        ["one", "k"],
        ["one", undefined],
        ["one", undefined]
      ])
      yield* TestClock.adjust(1_000)
      yield* route({ one: failRateLimited }, asked, heard)
      assert.deepStrictEqual(listCredentials(heard).at(3), ["one", "k"])
    }).pipe((effect) =>
      withServices(effect, { usable: [makeUsable({ id: "k", provider: "one", models })] })
    )
  )

  it.effect("uses no customer credential at an upstream that ignores credentials", () =>
    Effect.gen(function* () {
      const routing = yield* Routing
      const { plan } = yield* routing.plan(query())
      assert.deepStrictEqual(
        plan.ordered.map(({ credential }) => credential),
        [undefined]
      )
    }).pipe((effect) =>
      withServices(effect, {
        upstreams: [
          {
            slug: "one",
            name: "One",
            decisions: {
              ...fakeDecisionUpstream("one", unused).decisions!,
              ignoresCredentials: true
            }
          }
        ],
        usable: [makeUsable({ id: "k", provider: "one", models })]
      })
    )
  )

  it.effect("shows a model as excluded only if no credential applies to it", () =>
    Effect.gen(function* () {
      const routing = yield* Routing
      const isServed = yield* routing.getModelFilter(hostCaller)
      const catalog = yield* Catalog
      assert.deepStrictEqual(catalog.current().models.map(isServed), [true])
    }).pipe((effect) =>
      withServices(effect, {
        accounts: [{ id: defaultAccountId, zdr: true }],
        usable: [makeUsable({ id: "k", provider: "one", models, declared_zdr: true })]
      })
    )
  )
})
