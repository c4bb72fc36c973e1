/** A test suite for implementations of `IncidentStore`. */
import { type Incident, type IncidentFilter, IncidentStore } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { assert, describe, it } from "vitest"
import { makeRunTest } from "./makeRunTest.ts"

/** Declares the tests in a vitest file: `IncidentStoreContract("postgres", layer)`. */
export const IncidentStoreContract = (
  implementation: string,
  layer: Layer.Layer<IncidentStore, unknown>
): void => {
  const run = makeRunTest(layer)

  describe(`IncidentStore: ${implementation}`, () => {
    it("hands those that last, and those seen lately, to the next change of their provider", () =>
      run(
        Effect.gen(function* () {
          const store = yield* IncidentStore
          const provider = newProvider()
          const lasting = makeIncident({ provider, seen_at: toIso(0) })
          const ended = makeIncident({ provider, ended_at: toIso(5), seen_at: toIso(5) })
          const old = makeIncident({ provider, ended_at: toIso(4), seen_at: toIso(4) })
          const other = makeIncident({ provider: newProvider() })
          yield* store.update(provider, 0, () => [lasting, ended, old])
          yield* store.update(other.provider, 0, () => [other])
          yield* store.update(provider, Date.parse(toIso(5)), (recent) => {
            assert.deepStrictEqual(recent, [lasting, ended])
            return [{ ...lasting, ended_at: toIso(9), seen_at: toIso(9) }]
          })
          assert.deepStrictEqual(yield* listOf({ provider, isOpen: true }), [])
          assert.deepStrictEqual((yield* listOf({ provider }))[2]?.ended_at, toIso(9))
        })
      ))

    it("finds them by provider, endpoint, time and state, the latest first", () =>
      run(
        Effect.gen(function* () {
          const store = yield* IncidentStore
          const provider = newProvider()
          const [first, last] = ["__proto__@x", '50% _\\"\u0000@x'].map((endpoint_id, at) =>
            makeIncident({
              provider,
              started_at: toIso(at * 10),
              seen_at: toIso(at * 10 + 5),
              ...(at === 0 ? { ended_at: toIso(5) } : undefined),
              endpoints: [
                {
                  endpoint_id,
                  model: "acme/model",
                  started_at: toIso(at * 10),
                  ended_at: null,
                  cause: "10 of 10 failed",
                  processes: []
                }
              ]
            })
          ) as [Incident, Incident]
          for (const each of [first, last]) yield* store.update(provider, 0, () => [each])
          const expectFound = Effect.fnUntraced(function* (
            filter: Partial<IncidentFilter>,
            found: ReadonlyArray<Incident>
          ) {
            assert.deepStrictEqual(yield* listOf({ provider, ...filter }), found)
          })
          yield* expectFound({}, [last, first])
          for (const each of [first, last]) {
            yield* expectFound({ endpoint: each.endpoints[0]!.endpoint_id }, [each])
          }
          yield* expectFound({ endpoint: "__PROTO__@x" }, [])
          yield* expectFound({ endpoint: "50" }, [])
          yield* expectFound({ from: Date.parse(toIso(6)) }, [last])
          yield* expectFound({ to: Date.parse(toIso(10)) }, [first])
          yield* expectFound({ isOpen: true }, [last])
          yield* expectFound({ isOpen: false }, [first])
          // It has not been seen since.
          const aliveSince = Date.parse(toIso(16))
          yield* expectFound({ isOpen: true, aliveSince }, [])
          yield* expectFound({ isOpen: false, aliveSince }, [last, first])
          const page = yield* store.list({ provider, aliveSince: 0 }, { limit: 1 })
          assert.deepStrictEqual(page.rows, [last])
          const rest = yield* store.list(
            { provider, aliveSince: 0 },
            { limit: 1, after: page.nextCursor! }
          )
          assert.deepStrictEqual(rest, { rows: [first] })
        })
      ))

    it("loses none of the changes that are made at once", () =>
      run(
        Effect.gen(function* () {
          const store = yield* IncidentStore
          const incident = makeIncident({ provider: newProvider() })
          yield* Effect.forEach(
            Array.from({ length: 10 }, (_, at) => ({ id: String(at), seen_at: toIso(at) })),
            (process) =>
              store.update(incident.provider, 0, ([known = incident]) => [
                {
                  ...known,
                  endpoints: [
                    {
                      endpoint_id: "a@b",
                      model: "a",
                      started_at: toIso(0),
                      ended_at: null,
                      cause: "",
                      processes: [...(known.endpoints[0]?.processes ?? []), process]
                    }
                  ]
                }
              ]),
            { concurrency: "unbounded", discard: true }
          )
          const [stored, ...others] = yield* listOf({ provider: incident.provider })
          assert.deepStrictEqual(others, [])
          assert.strictEqual(stored?.endpoints[0]?.processes.length, 10)
        })
      ))

    it("deletes what was seen too long ago", () =>
      run(
        Effect.gen(function* () {
          const store = yield* IncidentStore
          const provider = newProvider()
          const [old, recent] = [-9, -1].map((at) =>
            makeIncident({ provider, seen_at: toIso(at) })
          ) as [Incident, Incident]
          yield* store.update(provider, 0, () => [old, recent])
          yield* store.purge(Date.parse(toIso(-5)))
          assert.deepStrictEqual(yield* listOf({ provider }), [recent])
        })
      ))
  })
}

const newProvider = (): string => `provider-${crypto.randomUUID()}`

/** Minutes after midnight. */
const toIso = (minutes: number): string =>
  new Date(Date.UTC(2026, 10, 30, 0, minutes)).toISOString()

const makeIncident = (incident: Partial<Incident>): Incident => ({
  id: `incident-${crypto.randomUUID()}`,
  provider: "acme",
  started_at: toIso(0),
  ended_at: null,
  seen_at: toIso(1),
  endpoints: [],
  impact: null,
  ...incident
})

const listOf = (filter: Partial<IncidentFilter>) =>
  Effect.gen(function* () {
    const store = yield* IncidentStore
    return (yield* store.list({ aliveSince: 0, ...filter }, { limit: 100 })).rows
  })
