/** A test suite for implementations of `PersonStore`. */
import {
  AlertStore,
  AuditLog,
  CalibrationStore,
  DeliveryStore,
  FailedRequestStore,
  GenerationStore,
  GuardrailStore,
  InternStore,
  LedgerStore,
  NanoUsd,
  type Person,
  PersonStore,
  PresetStore,
  RollupStore,
  SpendCounters,
  type Stores,
  Subject,
  toCounterKey,
  UserId,
  VideoStore
} from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { assert, describe, it } from "vitest"
import { makeAlert } from "./AlertStoreContract.ts"
import { makeDelivery } from "./DeliveryStoreContract.ts"
import * as fresh from "./fixtures.ts"
import { makeRunTest } from "./makeRunTest.ts"
import { namePerson } from "./namePerson.ts"

const day = Date.UTC(2100, 0, 1)
const wholePage = { offset: 0, limit: 1_000 }

const rename = (person: Person, pseudonym: string) =>
  PersonStore.use((store) => store.rename({ ...person, pseudonym }))

/** Everything that the account has in these stores, as one text. */
const dump = Effect.fnUntraced(function* ({
  generation: { account, id, workspace },
  intern,
  job,
  preset
}: Named) {
  const parts: ReadonlyArray<unknown> = [
    yield* GenerationStore.use((store) => store.find(account, id)),
    yield* AuditLog.use((log) => log.list(account, { limit: 100 })),
    yield* FailedRequestStore.use((store) =>
      store.list({ account, includesUnauthenticated: false }, 100)
    ),
    yield* CalibrationStore.use((store) => store.listSamples({ account }, 100)),
    yield* CalibrationStore.use((store) => store.load(account, "")),
    yield* GuardrailStore.use((store) =>
      store.listAssignments(account, "key", undefined, wholePage)
    ),
    yield* InternStore.use((store) => store.find(intern.id)),
    yield* VideoStore.use((store) => store.find(job.id)),
    yield* PresetStore.use((store) => store.find(account, preset.id)),
    yield* PresetStore.use((store) => store.listVersions(account, preset.id, wholePage)),
    yield* Effect.forEach(
      ["user", "external_user", "user,model", "tag:customer", "workspace,model"] as const,
      (dimension) =>
        Effect.map(
          RollupStore.use((store) =>
            store.list({ account, resolution: "day", dimension, from: 0, to: 2 * day })
          ),
          (buckets) => buckets.map(({ values }) => Array.from(values.keys()))
        )
    ),
    workspace
  ]
  return JSON.stringify(parts, (_, value: unknown) =>
    typeof value === "bigint" ? String(value) : value
  )
})

type Named = Effect.Success<ReturnType<typeof namePerson>>

const names = ["ada.lovelace-7f3e", 'Ada "the first" \\ Lovelace 😀'] as const

/** Declares the tests in a vitest file: `PersonStoreContract("postgres", layer)`. */
export const PersonStoreContract = (
  implementation: string,
  layer: Layer.Layer<Stores, unknown>
): void => {
  const run = makeRunTest(layer)
  describe(`PersonStore: ${implementation}`, () => {
    it.each(names)("renames a user everywhere, and keeps what was spent: %s", (name) =>
      run(
        Effect.gen(function* () {
          const account = fresh.makeAccountId()
          const named = yield* namePerson(account, name, "someone-else")
          const other = yield* namePerson(fresh.makeAccountId(), name, "someone-else")
          const before = yield* dump(other)
          assert.include(yield* dump(named), JSON.stringify(name))
          const person = { account, kind: "user", name } as const
          assert.isAbove(yield* rename(person, "erased-1"), 0)

          const after = yield* dump(named)
          assert.notInclude(after, JSON.stringify(name).slice(1, -1))
          assert.notInclude(after, JSON.stringify(JSON.stringify(name)).slice(3, -3))
          assert.include(after, "someone-else")
          assert.include(after, "erased-1")
          // A name that is a value of something else stays there.
          assert.include(after, '"customer":"acme"')
          assert.strictEqual(yield* dump(other), before)

          const found = yield* GenerationStore.use((store) =>
            store.list({ account, user: "erased-1" }, { limit: 9 })
          )
          assert.deepStrictEqual(
            found.rows.map(({ cost, id, user }) => [id, cost, user]),
            [[named.generation.id, named.generation.cost, "erased-1"]]
          )
          assert.deepStrictEqual(
            (yield* GenerationStore.use((store) =>
              store.list({ account, user: name }, { limit: 9 })
            )).rows,
            []
          )
          const figures = yield* RollupStore.use((store) =>
            store.list({ account, resolution: "day", dimension: "user", from: 0, to: 2 * day })
          )
          assert.strictEqual(figures[0]?.values.get("erased-1")?.cost, named.generation.cost)
          const { preset } = named
          const versions = yield* PresetStore.use((store) =>
            store.listVersions(account, preset.id, wholePage)
          )
          assert.deepStrictEqual(
            versions.rows.map(({ creator_id }) => creator_id),
            ["erased-1", "erased-1", "another"]
          )
          const renamed = yield* PresetStore.use((store) => store.find(account, preset.id))
          assert.strictEqual(renamed?.creator_user_id, "erased-1")
          assert.deepStrictEqual(renamed?.designated_version, versions.rows[2])
          assert.strictEqual(yield* rename(person, "erased-2"), 0)
          assert.strictEqual(yield* dump(named), after)
        })
      )
    )

    it.each(names)("renames an external user, and no user of that name: %s", (name) =>
      run(
        Effect.gen(function* () {
          const account = fresh.makeAccountId()
          const named = yield* namePerson(account, "acting-user", name)
          const same = yield* namePerson(account, name, "someone-else")
          const readSame = Effect.all([
            InternStore.use((store) => store.find(same.intern.id)),
            Effect.map(
              GenerationStore.use((store) => store.find(account, same.generation.id)),
              (found) => [found?.user, found?.externalUser, found?.trace]
            )
          ])
          const before = yield* readSame
          yield* rename({ account, kind: "external_user", name }, "erased-1")
          const record = yield* GenerationStore.use((store) =>
            store.find(account, named.generation.id)
          )
          assert.deepStrictEqual(
            [record?.externalUser, record?.user, record?.trace],
            ["erased-1", "acting-user", undefined]
          )
          const job = yield* VideoStore.use((store) => store.find(named.job.id))
          assert.deepStrictEqual([job?.request.user, job?.user], ["erased-1", "acting-user"])
          assert.deepStrictEqual(yield* readSame, before)
        })
      )
    )

    it("moves counters and open reservations to the pseudonym", () =>
      run(
        Effect.gen(function* () {
          const account = fresh.makeAccountId()
          const { limit, reservation, spender } = yield* namePerson(account, "ada", "x")
          yield* SpendCounters.use((store) => store.flush())
          yield* rename({ account, kind: "user", name: "ada" }, "erased-1")
          const subject = Subject.fromMember(spender, UserId.make("erased-1"))
          const spends = yield* SpendCounters.use((store) =>
            store.findSpend([subject, Subject.fromMember(spender, UserId.make("ada"))], day)
          )
          assert.deepStrictEqual(
            Array.from(spends, ([of, { usage }]) => [of, usage]),
            [[subject, 7n]]
          )
          const renamed = { ...limit, id: JSON.stringify([account, subject]), subject }
          assert.notStrictEqual(toCounterKey(renamed), toCounterKey(limit))
          const getReserved = Effect.map(
            LedgerStore.use((store) => store.getUsage(renamed)),
            ({ reserved, settled }) => [BigInt(reserved), BigInt(settled)]
          )
          assert.deepStrictEqual(yield* getReserved, [10n, 7n])
          yield* LedgerStore.use((store) => store.settle(reservation, NanoUsd.make(4n)))
          assert.deepStrictEqual(yield* getReserved, [0n, 11n])
        })
      ))

    it.each(names)("deletes alerts about limits of the user, with their events: %s", (name) =>
      run(
        Effect.gen(function* () {
          const account = fresh.makeAccountId()
          const alerts = yield* AlertStore
          const deliveries = yield* DeliveryStore
          const { limit } = yield* namePerson(account, name, "x")
          const claim = {
            key: `share 10 host ${toCounterKey(limit)}`,
            level: NanoUsd.zero,
            expiresAt: day
          }
          yield* alerts.claim(claim, 0)
          const tell = Effect.fnUntraced(function* (user_id: string) {
            const alert = makeAlert({
              account,
              message: `The limit of user ${JSON.stringify(user_id)} has reached 80 %.`
            })
            const about = { ...alert, limit: alert.limit && { ...alert.limit, user_id } }
            yield* alerts.add(about)
            const body = JSON.stringify({ type: alert.type, data: about })
            yield* deliveries.add(makeDelivery({ id: alert.id, account, type: alert.type, body }))
            return about
          })
          yield* tell(name)
          const other = yield* tell("another")
          yield* rename({ account, kind: "user", name }, "erased-1")
          assert.deepStrictEqual((yield* alerts.list(account, undefined, { limit: 9 })).rows, [
            other
          ])
          assert.deepStrictEqual(
            (yield* deliveries.list(account, {}, { limit: 9 })).rows.map(({ id }) => id),
            [other.id]
          )
          assert.isFalse(yield* alerts.release(claim.key))
        })
      )
    )

    it.each(names)("deletes alerts about a budget of a tag with the name: %s", (name) =>
      run(
        Effect.gen(function* () {
          const account = fresh.makeAccountId()
          const alerts = yield* AlertStore
          const deliveries = yield* DeliveryStore
          const tell = Effect.fnUntraced(function* (customer: string) {
            const budget = `customer=${customer}, model a/b`
            const message = `The daily budget ${JSON.stringify(budget)} has reached 80 %.`
            const alert = makeAlert({ account, message })
            const limit = alert.limit && { ...alert.limit, kind: "budget", name: budget }
            const about = { ...alert, limit }
            yield* alerts.add(about)
            const body = JSON.stringify({ type: alert.type, data: about })
            yield* deliveries.add(makeDelivery({ id: alert.id, account, type: alert.type, body }))
            return about
          })
          yield* tell(name)
          const other = yield* tell(`${name}-2`)
          yield* rename({ account, kind: "user", name }, "erased-1")
          assert.deepStrictEqual((yield* alerts.list(account, undefined, { limit: 9 })).rows, [
            other
          ])
          assert.deepStrictEqual(
            (yield* deliveries.list(account, {}, { limit: 9 })).rows.map(({ id }) => id),
            [other.id]
          )
        })
      )
    )

    it("deletes failed requests of the user", () =>
      run(
        Effect.gen(function* () {
          const account = fresh.makeAccountId()
          yield* namePerson(account, "ada", "x")
          yield* namePerson(account, "bob", "x")
          yield* rename({ account, kind: "user", name: "ada" }, "erased-1")
          const rows = yield* FailedRequestStore.use((store) =>
            store.list({ account, includesUnauthenticated: false }, 9)
          )
          assert.deepStrictEqual(
            rows.map(({ caller }) => caller?.user),
            [UserId.make("bob")]
          )
        })
      ))
  })
}
