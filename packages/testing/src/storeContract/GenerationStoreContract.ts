/** A test suite for implementations of `GenerationStore`. */
import {
  defaultWorkspaceId,
  type Generation,
  type GenerationFigure,
  type GenerationFilter,
  type GenerationPage,
  type GenerationPosition,
  GenerationStore,
  maxSessionNames,
  NanoUsd,
  type SessionPage,
  type SessionPosition,
  type SessionSummary,
  WorkspaceId
} from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { assert, describe, it } from "vitest"
import * as fresh from "./fixtures.ts"
import { makeRunTest } from "./makeRunTest.ts"

const minimalGeneration = (): Generation => ({
  id: fresh.makeGenerationId(),
  account: fresh.makeAccountId(),
  workspace: defaultWorkspaceId,
  operation: "decisions",
  startedAt: 1_700_000_000_123,
  latencyMillis: 0,
  configuration: 1,
  requestedModel: "a/b",
  attempts: [],
  rejected: [],
  demoted: []
})
const fullGeneration = (): Generation => ({
  ...minimalGeneration(),
  keyHash: fresh.makeKeyHash(),
  latencyMillis: 12,
  models: ["a/b", "~a/c"],
  resolvedModels: ["a/b", "a/c-2030"],
  preferences: {
    order: ["one", "sesión 😀"],
    allow_fallbacks: false,
    max_price: { prompt: "0.5" },
    sort: { by: "price" }
  },
  omittedPreferences: ["ignore"],
  constraints: [{ source: "guardrail é", rules: ["only", "spend_limit"] }],
  limits: [{ kind: "key", interval: "monthly" }],
  exceeded: {
    kind: "key",
    interval: "monthly",
    cap: NanoUsd.make(2n),
    amount: NanoUsd.make(9_007_199_254_740_993n),
    available: NanoUsd.make(1n)
  },
  model: "a/b-2030-01-01",
  provider: "One",
  usage: { inputTokens: 3, outputTokens: 0 },
  // Above the safe integers.
  cost: NanoUsd.make(9_007_199_254_740_993n),
  method: "logprobs",
  labelMass: 0.1 + 0.2,
  attempts: [
    { endpoint: "a/b@one", provider: "One", outcome: "timeout", latencyMillis: 7 },
    {
      endpoint: "a/b@two",
      provider: "Two",
      outcome: "served",
      status: 200,
      latencyMillis: 5,
      usage: { inputTokens: 3, outputTokens: 0 },
      cost: NanoUsd.make(1n)
    }
  ],
  strategy: "price-weighted",
  affinity: { by: "opener", did: "moved" },
  rejected: [
    { endpoint: "a/b@three", rule: "zdr", source: "account", wanted: "x", found: "y" },
    { endpoint: "a/b@three", rule: "only", source: "request", wanted: "x", found: "y" }
  ],
  error: "AttemptsFailed",
  session: "sesión 😀",
  requestId: "req-1",
  user: "",
  preset: "workspace/a-preset 😀",
  externalUser: "somebody",
  tags: JSON.parse('{"customer":"acme: \\u00e9 😀","__proto__":"own"}'),
  trace: JSON.parse('{"trace_name":"t","__proto__":{"deep":[null,1.5,"x"]},"constructor":"c"}')
})

/**
 * Declares the tests in a vitest file: `GenerationStoreContract("postgres", layer)`. A store may
 * purge old records, but must keep the latest few.
 */
export const GenerationStoreContract = (
  implementation: string,
  layer: Layer.Layer<GenerationStore, unknown>
): void => {
  const run = makeRunTest(layer)
  describe(`GenerationStore: ${implementation}`, () => {
    it("finds a record with any content exactly as it was stored", () =>
      run(
        Effect.gen(function* () {
          const store = yield* GenerationStore
          for (const generation of [minimalGeneration(), fullGeneration()]) {
            yield* store.record([generation])
            const found = yield* store.find(generation.account, generation.id)
            assert.deepStrictEqual(found, generation)
            assert.deepStrictEqual(
              Object.keys(found?.trace ?? {}),
              Object.keys(generation.trace ?? {})
            )
            assert.deepStrictEqual(
              Object.entries(found?.tags ?? {}),
              Object.entries(generation.tags ?? {})
            )
          }
        })
      ))

    it("returns only the records of the account", () =>
      run(
        Effect.gen(function* () {
          const store = yield* GenerationStore
          const mine = fullGeneration()
          const another = fullGeneration()
          yield* store.record([mine, another])
          assert.isUndefined(yield* store.find(another.account, mine.id))
          assert.isUndefined(yield* store.find(fresh.makeAccountId(), mine.id))
          assert.isUndefined(yield* store.find(mine.account, fresh.makeGenerationId()))
          assert.deepStrictEqual(yield* store.find(mine.account, mine.id), mine)
        })
      ))

    it("lists records by the begin of their requests, page by page, the latest first", () =>
      run(
        Effect.gen(function* () {
          const store = yield* GenerationStore
          const account = fresh.makeAccountId()
          const starts = [5, 1, 3, 3, 2, 4, 3]
          const all = starts.map((startedAt) => ({ ...fullGeneration(), account, startedAt }))
          yield* store.record(all)
          yield* store.record([fullGeneration()])
          const found: Array<Generation> = []
          let after: GenerationPosition | undefined
          do {
            const page: GenerationPage = yield* store.list(
              { account },
              { limit: 2, ...(after === undefined ? undefined : { after }) }
            )
            assert.isAtMost(page.rows.length, 2)
            found.push(...page.rows)
            after = page.next
          } while (after !== undefined)
          assert.deepStrictEqual(
            found.map(({ startedAt }) => startedAt),
            [5, 4, 3, 3, 3, 2, 1]
          )
          assert.sameDeepMembers(found, all)
          const { rows } = yield* store.list({ account, from: 2, to: 4 }, { limit: 100 })
          assert.deepStrictEqual(
            rows.map(({ startedAt }) => startedAt),
            [3, 3, 3, 2]
          )
          assert.deepStrictEqual(
            yield* store.list({ account: fresh.makeAccountId() }, { limit: 2 }),
            { rows: [] }
          )
        })
      ))

    it("scans the records of all accounts from a time on, page by page, the oldest first", () =>
      run(
        Effect.gen(function* () {
          const store = yield* GenerationStore
          // Later than most records of other tests, which are left out below.
          const since = 4_000_000_000_000 + Math.floor(Math.random() * 1e12)
          const starts = [5, 1, 3, 3, 2, 4, 3]
          const all = starts.map((start) => ({ ...fullGeneration(), startedAt: since + start }))
          const ids = new Set(all.map(({ id }) => id))
          for (const generation of all) yield* store.record([generation])
          const found: Array<Generation> = []
          let after: GenerationPosition | undefined
          do {
            const page: GenerationPage = yield* store.scan(since + 2, {
              limit: 2,
              ...(after === undefined ? undefined : { after })
            })
            assert.isAtMost(page.rows.length, 2)
            found.push(...page.rows.filter(({ id }) => ids.has(id)))
            after = page.next
          } while (after !== undefined)
          assert.deepStrictEqual(
            found.map(({ startedAt }) => startedAt - since),
            [2, 3, 3, 3, 4, 5]
          )
          assert.sameDeepMembers(
            found,
            all.filter(({ startedAt }) => startedAt > since + 1)
          )
        })
      ))

    it("filters by every field", () =>
      run(
        Effect.gen(function* () {
          const store = yield* GenerationStore
          const account = fresh.makeAccountId()
          const failed: Generation = { ...fullGeneration(), account }
          const answered: Generation = {
            ...minimalGeneration(),
            account,
            operation: "chat",
            user: "back\\slash",
            externalUser: "",
            tags: { customer: 'quo"ted\\' },
            attempts: [
              {
                endpoint: 'quoted"@\\\u0000😀',
                provider: 'Th"ree\\',
                outcome: "served",
                latencyMillis: 1
              }
            ],
            // Looks like an attempt at another endpoint.
            trace: {
              attempts: [{ endpoint: "a/b@two", provider: "Two", outcome: "timeout" }],
              customer: "acme"
            },
            workspace: WorkspaceId.make(crypto.randomUUID())
          }
          yield* store.record([failed, answered])
          const filters: ReadonlyArray<
            readonly [Partial<GenerationFilter>, ReadonlyArray<Generation>]
          > = [
            [{ outcome: "failed" }, [failed]],
            [{ outcome: "AttemptsFailed" }, [failed]],
            [{ outcome: "answered" }, [answered]],
            [{ outcome: "Interrupted" }, []],
            [{ operation: "decisions" }, [failed]],
            [{ operation: "chat", outcome: "answered" }, [answered]],
            [{ workspace: answered.workspace }, [answered]],
            [{ key: failed.keyHash ?? "" }, [failed]],
            [{ key: fresh.makeKeyHash() }, []],
            [{ user: "" }, [failed]],
            [{ user: "back\\slash" }, [answered]],
            [{ user: "somebody" }, []],
            [{ externalUser: "somebody" }, [failed]],
            [{ externalUser: "" }, [answered]],
            [{ tag: { key: "customer", value: "acme: é 😀" } }, [failed]],
            [{ tag: { key: "customer", value: 'quo"ted\\' } }, [answered]],
            [{ tag: { key: "__proto__", value: "own" } }, [failed]],
            // A trace looks alike.
            [{ tag: { key: "customer", value: "acme" } }, []],
            [{ preset: failed.preset ?? "" }, [failed]],
            [{ preset: "" }, []],
            [{ session: failed.session ?? "" }, [failed]],
            [{ request: failed.requestId ?? "" }, [failed]],
            [{ model: "a/b-2030-01-01" }, [failed]],
            [{ model: "a/b" }, [answered]],
            [{ provider: "One" }, [failed]],
            // One that failed before another one answered, too.
            [{ provider: "Two" }, [failed]],
            [{ provider: 'Th"ree\\' }, [answered]],
            [{ provider: "T" }, []],
            // Any of its attempts counts, but not an endpoint that a rule left out.
            [{ endpoint: "a/b@one" }, [failed]],
            [{ endpoint: "a/b@two" }, [failed]],
            [{ endpoint: "a/b@three" }, []],
            [{ endpoint: "A/B@ONE" }, []],
            [{ endpoint: "a/b@t" }, []],
            [{ endpoint: "%" }, []],
            [{ endpoint: 'quoted"@\\\u0000😀' }, [answered]],
            [{ endpoint: "a/b@two", outcome: "answered" }, []],
            [{ figures: { latency: { min: 12, max: 12 } } }, [failed]],
            [{ figures: { latency: { max: 11.5 } } }, [answered]],
            [{ figures: { tokens: { min: 3 }, latency: { min: 1 } } }, [failed]],
            [{ figures: { tokens: { min: 4 } } }, []],
            // Unknown figures are in no range.
            [{ figures: { cost: { min: 0 } } }, [failed]],
            [{ figures: { tokens: { max: 1 } } }, []]
          ]
          for (const [filter, expected] of filters) {
            const { rows } = yield* store.list({ account, ...filter }, { limit: 10 })
            assert.deepStrictEqual(rows, expected, JSON.stringify(filter))
          }
        })
      ))

    it("sorts by a figure, page by page, and lists unknown ones last", () =>
      run(
        Effect.gen(function* () {
          const store = yield* GenerationStore
          const account = fresh.makeAccountId()
          const costs = [5n, undefined, 70n, 5n, 0n, undefined]
          const all = costs.map((cost, at): Generation => {
            const generation = {
              ...minimalGeneration(),
              account,
              startedAt: at,
              latencyMillis: at + 0.25
            }
            return cost === undefined ? generation : { ...generation, cost: NanoUsd.make(cost) }
          })
          yield* store.record(all)
          const list = Effect.fnUntraced(function* (sort: GenerationFigure) {
            const found: Array<number> = []
            let after: GenerationPosition | undefined
            do {
              const page: GenerationPage = yield* store.list(
                { account, from: 0, to: 6 },
                { limit: 2, sort, ...(after === undefined ? undefined : { after }) }
              )
              found.push(...page.rows.map(({ startedAt }) => startedAt))
              after = page.next
            } while (after !== undefined)
            return found
          })
          assert.deepStrictEqual(yield* list("cost"), [2, 3, 0, 4, 5, 1])
          assert.deepStrictEqual(yield* list("latency"), [5, 4, 3, 2, 1, 0])
          assert.deepStrictEqual(yield* list("tokens"), [5, 4, 3, 2, 1, 0])
        })
      ))

    it("sums up the requests of each session, in each workspace and in the time alone", () =>
      run(
        Effect.gen(function* () {
          const store = yield* GenerationStore
          const account = fresh.makeAccountId()
          const other = WorkspaceId.make(crypto.randomUUID())
          const make = (startedAt: number, fields: Partial<Generation>): Generation => ({
            ...minimalGeneration(),
            account,
            startedAt,
            session: "sesión \\ 😀",
            ...fields
          })
          const priced = {
            cost: NanoUsd.make(4_503_599_627_370_497n),
            usage: { inputTokens: 3, outputTokens: 4 }
          }
          yield* store.record([
            make(5, { ...priced, user: "ada", externalUser: "", model: "a/c" }),
            make(6, { ...priced, user: "bob", externalUser: "shop" }),
            make(7, { ...priced, user: "bob", error: "AttemptsFailed" }),
            make(8, { workspace: other }),
            make(4, { error: "TooEarly" }),
            make(9, { error: "TooLate" }),
            { ...minimalGeneration(), account, startedAt: 6 },
            { ...fullGeneration(), startedAt: 6, session: "of another account" }
          ])
          const session: SessionSummary = {
            id: "sesión \\ 😀",
            workspace: defaultWorkspaceId,
            firstAt: 5,
            lastAt: 7,
            requests: 3,
            failed: 1,
            // Exact: the sum is above the safe integers.
            cost: NanoUsd.make(13_510_798_882_111_491n),
            tokens: 21,
            models: { names: ["a/b", "a/c"], count: 2 },
            users: { names: ["bob", "ada"], count: 2 },
            externalUsers: { names: ["", "shop"], count: 2 }
          }
          const none = { names: [], count: 0 }
          const elsewhere: SessionSummary = {
            ...session,
            workspace: other,
            firstAt: 8,
            lastAt: 8,
            requests: 1,
            failed: 0,
            cost: NanoUsd.zero,
            tokens: 0,
            models: { names: ["a/b"], count: 1 },
            users: none,
            externalUsers: none
          }
          const time = { account, from: 5, to: 9 }
          assert.deepStrictEqual(yield* store.listSessions(time, { limit: 9 }), {
            rows: [elsewhere, session]
          })
          assert.deepStrictEqual(
            yield* store.listSessions({ ...time, workspace: other }, { limit: 9 }),
            { rows: [elsewhere] }
          )
          assert.deepStrictEqual(
            yield* store.listSessions({ ...time, session: "another" }, { limit: 9 }),
            { rows: [] }
          )
          const { rows } = yield* store.listSessions(
            { ...time, user: "bob", session: session.id },
            { limit: 9 }
          )
          assert.deepStrictEqual(
            rows.map(({ requests, users }) => [requests, users.names]),
            [[2, ["bob"]]]
          )
        })
      ))

    it("lists sessions page by page, the one with the latest request first, and bounds their names", () =>
      run(
        Effect.gen(function* () {
          const store = yield* GenerationStore
          const account = fresh.makeAccountId()
          const starts = { a: [1, 9], b: [4], c: [5], d: [5, 2], e: [5] }
          yield* store.record(
            Object.entries(starts).flatMap(([session, times]) =>
              times.map((startedAt): Generation => ({
                ...minimalGeneration(),
                account,
                session,
                startedAt
              }))
            )
          )
          yield* store.record(
            Array.from({ length: maxSessionNames + 2 }, (_, at): Generation => ({
              ...minimalGeneration(),
              account,
              session: "d",
              startedAt: 3,
              model: `model-${String(at).padStart(3, "0")}`
            }))
          )
          const found: Array<SessionSummary> = []
          let after: SessionPosition | undefined
          do {
            const page: SessionPage = yield* store.listSessions(
              { account, from: 0 },
              { limit: 2, ...(after === undefined ? undefined : { after }) }
            )
            assert.isAtMost(page.rows.length, 2)
            found.push(...page.rows)
            after = page.next
          } while (after !== undefined)
          assert.deepStrictEqual(
            found.map(({ id }) => id),
            ["a", "e", "d", "c", "b"]
          )
          const models = found[2]?.models
          assert.deepStrictEqual(models?.names.slice(0, 2), ["a/b", "model-000"])
          assert.strictEqual(models?.names.length, maxSessionNames)
          assert.strictEqual(models?.count, maxSessionNames + 3)
        })
      ))
  })
}
