import { makeHostFailure } from "@signalbox/testing"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { assert, describe, it } from "vitest"
import { hostCaller } from "../../../src/tenants/auth/Caller.ts"
import { AuditLog } from "../../../src/engine/observability/audit/AuditLog.ts"
import { VaultStore } from "../../../src/domains/vaults/VaultStore.ts"
import {
  ann,
  bob,
  create,
  destroy,
  elapse,
  awaitFiber,
  find,
  waitUntilRemoved,
  withInternFixture,
  list,
  provision,
  settle,
  waitForStatus,
  waitUntil
} from "./internFixture.ts"
import { Jumps } from "../../withJumps.ts"

describe("creating interns", () => {
  it("creates one with its own vault, and an entry in the audit log", () =>
    withInternFixture((hosted) =>
      Effect.gen(function* () {
        const { intern, isNew } = yield* create({ description: "helps", instructions: "be brief" })
        assert.isTrue(isNew)
        const { creator, description, hostname, instructions, model, name, progress, status } =
          intern
        assert.deepStrictEqual(
          { creator, description, hostname, instructions, model, name, progress, status },
          {
            creator: ann.user!,
            description: "helps",
            hostname: null,
            instructions: "be brief",
            model: null,
            name: "ida",
            progress: null,
            status: "stopped"
          }
        )
        assert.match(intern.id, /^intern_[0-9a-z]{20}$/)
        assert.deepStrictEqual(yield* find(intern.id), intern)
        const vault = yield* VaultStore.use((store) => store.find(intern.vault))
        assert.strictEqual(vault?.intern, intern.id)
        assert.deepStrictEqual(hosted.listCalls(), ["prepare"])
        const { rows } = yield* AuditLog.use((log) => log.list(ann.account, { limit: 9 }))
        assert.deepStrictEqual(
          rows.map(({ action, target }) => ({ action, target })),
          [{ action: "intern.create", target: intern.id }]
        )
      })
    ))

  it("is awaiting_slack_install when its host needs the installation", () =>
    withInternFixture(
      () =>
        Effect.gen(function* () {
          const { intern } = yield* create()
          assert.strictEqual(intern.status, "awaiting_slack_install")
          assert.strictEqual((yield* provision(intern.id)).status, "queued")
        }),
      { needsSlackInstall: true }
    ))

  it("requires a member as the owner", () =>
    withInternFixture(() =>
      Effect.gen(function* () {
        for (const by of [hostCaller, { ...ann, kind: "organization" as const }]) {
          assert.strictEqual((yield* Effect.flip(create({}, { by })))._tag, "NoActingUser")
        }
        assert.deepStrictEqual((yield* list()).rows, [])
      })
    ))

  it("is idempotent by key, or by the request with its defaults", () =>
    withInternFixture((hosted) =>
      Effect.gen(function* () {
        const first = yield* create()
        const again = yield* create({ description: null, provision: false })
        assert.deepStrictEqual(again, { intern: first.intern, isNew: false })
        const keyed = yield* create({ name: "eve" }, { key: "k" })
        assert.isTrue(keyed.isNew)
        assert.deepStrictEqual(yield* create({ name: "eve" }, { key: "k" }), {
          intern: keyed.intern,
          isNew: false
        })
        const reused = yield* Effect.flip(create({ name: "eve", description: "x" }, { key: "k" }))
        assert.strictEqual(reused._tag, "IdempotencyKeyReused")
        assert.lengthOf((yield* list()).rows, 2)
        assert.lengthOf(hosted.calls, 2)
      })
    ))

  it("separates the keys and names of members", () =>
    withInternFixture(() =>
      Effect.gen(function* () {
        const one = yield* create({}, { key: "k" })
        const other = yield* create({}, { key: "k", by: bob })
        assert.isTrue(other.isNew)
        assert.notStrictEqual(one.intern.id, other.intern.id)
        assert.strictEqual((yield* Effect.flip(create({}, { key: "l" })))._tag, "NameTaken")
        // A key that is another request's own fingerprint is still a key.
        const { fingerprint } = one.intern.creation
        assert.strictEqual((yield* Effect.flip(create({}, { key: fingerprint })))._tag, "NameTaken")
      })
    ))

  it("expires a key after its retention, unless the create is unfinished", () =>
    withInternFixture((hosted) =>
      Effect.gen(function* () {
        hosted.script("prepare", ...Array.from({ length: 20 }, () => makeHostFailure("no")))
        const unfinished = yield* Effect.flip(create({ name: "slow" }, { key: "s" }))
        assert.strictEqual(unfinished._tag, "UpstreamUnavailable")
        yield* elapse(60)
        hosted.script("prepare")
        const first = yield* Effect.repeat(create({}, { key: "k" }).pipe(Effect.option), {
          until: (done) => done._tag === "Some"
        })
        assert.isTrue(first._tag === "Some" && first.value.isNew)
        yield* TestClock.adjust(86_400_000 - 61_000)
        assert.isFalse((yield* create({}, { key: "k" })).isNew)
        yield* TestClock.adjust(61_000)
        assert.strictEqual((yield* Effect.flip(create({}, { key: "k" })))._tag, "NameTaken")
        const anew = yield* create({ name: "new" }, { key: "k" })
        assert.isTrue(anew.isNew)
        assert.isFalse((yield* create({ name: "new" }, { key: "k" })).isNew)
        const slow = yield* create({ name: "slow" }, { key: "s" })
        assert.strictEqual(slow.intern.name, "slow")
      })
    ))

  it("creates one for fifty concurrent identical requests, and reports it as new to one of them", () =>
    withInternFixture((hosted) =>
      Effect.gen(function* () {
        const gate = yield* Deferred.make<void>()
        hosted.script("prepare", Deferred.await(gate))
        const asked = yield* Effect.forEach(
          Array.from({ length: 50 }),
          () => create({ provision: true }),
          {
            concurrency: "unbounded"
          }
        ).pipe(Effect.forkChild)
        yield* waitUntil(Effect.sync(() => hosted.calls.length === 1))
        yield* elapse(3)
        assert.deepStrictEqual(hosted.listCalls(), ["prepare"])
        yield* Deferred.succeed(gate, undefined)
        const created = yield* awaitFiber(asked)
        assert.lengthOf(
          created.filter(({ isNew }) => isNew),
          1
        )
        assert.lengthOf(new Set(created.map(({ intern }) => intern.id)), 1)
        assert.lengthOf((yield* list()).rows, 1)
        yield* waitForStatus(created[0]?.intern.id ?? "", "running")
        assert.deepStrictEqual(hosted.listCalls(), ["prepare", "step 0", "step 1"])
      })
    ))

  it("continues an unfinished create when the request is repeated", () =>
    withInternFixture((hosted) =>
      Effect.gen(function* () {
        hosted.script("prepare", makeHostFailure("no\nroom"), Effect.die("a fault"))
        const failed = yield* Effect.flip(create({ provision: true }))
        assert.isTrue(
          failed._tag === "UpstreamUnavailable" && failed.problem === "preparing it: no room"
        )
        assert.strictEqual((yield* list()).rows[0]?.status, "queued")
        const died = yield* Effect.flip(create({ provision: true }))
        assert.isTrue(died._tag === "UpstreamUnavailable" && /unexpectedly/.test(died.problem))
        yield* settle
        assert.deepStrictEqual(hosted.listCalls(), ["prepare", "prepare"])
        const done = yield* create({ provision: true })
        assert.isTrue(done.isNew)
        assert.isFalse((yield* create({ provision: true })).isNew)
        yield* waitForStatus(done.intern.id, "running")
        assert.lengthOf((yield* list()).rows, 1)
      })
    ))

  it("is finished by a background task without a retry", () =>
    withInternFixture((hosted) =>
      Effect.gen(function* () {
        hosted.script("prepare", makeHostFailure("no"))
        yield* Effect.flip(create({ provision: true }))
        const { rows } = yield* list()
        yield* waitForStatus(rows[0]?.id ?? "", "running")
        assert.deepStrictEqual(hosted.listCalls(), ["prepare", "prepare", "step 0", "step 1"])
        assert.isFalse((yield* create({ provision: true })).isNew)
      })
    ))

  it("fails when its host never prepares it, and can be retried", () =>
    withInternFixture((hosted) =>
      Effect.gen(function* () {
        hosted.script("prepare", ...Array.from({ length: 6 }, () => makeHostFailure("no")))
        yield* Effect.flip(create({ provision: true }))
        const [unfinished] = (yield* list()).rows
        yield* waitForStatus(unfinished?.id ?? "", "failed")
        const [failed] = (yield* list()).rows
        assert.strictEqual(failed?.lastFailureMessage, "preparing it: no")
        const { intern, isNew } = yield* create({ provision: true })
        assert.isTrue(isNew)
        assert.strictEqual(intern.status, "queued")
        yield* waitForStatus(intern.id, "running")
        const running = yield* find(intern.id)
        assert.isNull(running.lastFailureMessage)
      })
    ))

  it("continues after the caller has disconnected", () =>
    withInternFixture((hosted) =>
      Effect.gen(function* () {
        hosted.script("prepare", Effect.never)
        const creating = yield* Effect.forkChild(create())
        yield* waitUntil(Effect.sync(() => hosted.calls.length === 1))
        yield* Fiber.interrupt(creating)
        const { isNew } = yield* create()
        assert.isTrue(isNew)
      })
    ))

  it("answers within the timeout of a create", () =>
    withInternFixture(
      (hosted) =>
        Effect.gen(function* () {
          hosted.script("prepare", Effect.never)
          const first = yield* Effect.forkChild(Effect.flip(create()))
          yield* waitUntil(Effect.sync(() => hosted.calls.length === 1))
          const second = yield* Effect.forkChild(Effect.flip(create()))
          assert.strictEqual((yield* awaitFiber(second))._tag, "CreationBusy")
          const late = yield* awaitFiber(first)
          assert.isTrue(
            late._tag === "UpstreamUnavailable" && /longer than 300000 ms/.test(late.problem)
          )
        }),
      {
        options: {
          settings: { internCreateTimeoutMillis: 3_000, internPrepareTimeoutMillis: 300_000 }
        }
      }
    ))

  it("answers within the timeout of a create although the clock is set back by a day", () =>
    withInternFixture(
      (hosted) =>
        Effect.gen(function* () {
          hosted.script("prepare", Effect.never)
          yield* Effect.forkChild(Effect.flip(create()))
          yield* waitUntil(Effect.sync(() => hosted.calls.length === 1))
          const second = yield* Effect.forkChild(Effect.flip(create()))
          yield* elapse(1)
          yield* Jumps.use(({ jump }) => Effect.sync(() => jump(-86_400_000)))
          yield* elapse(1)
          assert.isUndefined(second.pollUnsafe())
          assert.strictEqual((yield* awaitFiber(second))._tag, "CreationBusy")
        }),
      {
        options: {
          settings: { internCreateTimeoutMillis: 3_000, internPrepareTimeoutMillis: 300_000 }
        }
      }
    ))

  it("reports a failed preparation to all waiting requests, after one try", () =>
    withInternFixture((hosted) =>
      Effect.gen(function* () {
        const gate = yield* Deferred.make<void>()
        hosted.script("prepare", Effect.andThen(Deferred.await(gate), makeHostFailure("no")))
        const asked = yield* Effect.forEach(
          Array.from({ length: 9 }),
          () => Effect.flip(create()),
          {
            concurrency: "unbounded"
          }
        ).pipe(Effect.forkChild)
        yield* waitUntil(Effect.sync(() => hosted.calls.length === 1))
        yield* elapse(2)
        yield* Deferred.succeed(gate, undefined)
        const refused = yield* awaitFiber(asked)
        assert.deepStrictEqual(
          new Set(refused.map(({ _tag }) => _tag)),
          new Set(["UpstreamUnavailable"])
        )
        assert.deepStrictEqual(hosted.listCalls(), ["prepare"])
      })
    ))

  it("attaches the vault of another intern of the workspace until that one is removed", () =>
    withInternFixture(() =>
      Effect.gen(function* () {
        const { intern: lender } = yield* create({ name: "lender" })
        for (const vault_id of ["nothing", crypto.randomUUID()]) {
          const refused = yield* Effect.flip(create({ vault_id }))
          assert.isTrue(refused._tag === "InvalidRequest" && refused.path[0] === "vault_id")
        }
        const { intern } = yield* create({ vault_id: lender.vault })
        assert.strictEqual(intern.attachedVault, lender.vault)
        yield* destroy(lender.id)
        yield* waitUntilRemoved(lender.id)
        assert.isNull((yield* find(intern.id)).attachedVault)
        assert.isUndefined(yield* VaultStore.use((store) => store.find(lender.vault)))
        assert.isDefined(yield* VaultStore.use((store) => store.find(intern.vault)))
      })
    ))

  it("frees the key of a destroyed intern", () =>
    withInternFixture((hosted) =>
      Effect.gen(function* () {
        const first = yield* create({}, { key: "k" })
        hosted.script("destroy", Effect.sleep("1 second"))
        yield* destroy(first.intern.id)
        assert.strictEqual((yield* create({}, { key: "k" })).intern.status, "destroying")
        yield* waitUntilRemoved(first.intern.id)
        const second = yield* create({ description: "another" }, { key: "k" })
        assert.isTrue(second.isNew)
        assert.notStrictEqual(second.intern.id, first.intern.id)
      })
    ))
})
