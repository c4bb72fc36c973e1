import { makeHostFailure } from "@signalbox/testing"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { assert, describe, it } from "vitest"
import type { Intern } from "../../../src/domains/interns/Intern.ts"
import { Interns } from "../../../src/domains/interns/Interns.ts"
import { InternStore } from "../../../src/domains/interns/InternStore.ts"
import { memoryStores } from "../../../src/domains.ts"
import { WorkspaceId } from "../../../src/values/ids/Ids.ts"
import { Vaults } from "../../../src/domains/vaults/Vaults.ts"
import { Workspaces } from "../../../src/tenants/workspaces/Workspaces.ts"
import {
  ann,
  create,
  destroy,
  find,
  waitUntilRemoved,
  withInternFixture,
  provision,
  waitForStatus,
  settle,
  suspend,
  waitUntil
} from "./internFixture.ts"

const runningIntern = Effect.fnUntraced(function* () {
  const { intern } = yield* create({ provision: true })
  yield* waitForStatus(intern.id, "running")
  return intern.id
})

/** A workspace that can be deleted, and a key of the user ann in it. */
const createOtherWorkspace = Effect.gen(function* () {
  const workspaces = yield* Workspaces
  const { id } = yield* workspaces.create(ann, { name: "Two", slug: "two" })
  return { ...ann, workspace: WorkspaceId.make(id) }
})

const findStored = (id: Intern["id"]) => InternStore.use((store) => store.find(id))

const isGone = (id: Intern["id"]) => Effect.map(findStored(id), (row) => row === undefined)

/** Changes interns once, between the listing of the interns and the handling of each. */
const meanwhile: { happens: ((intern: Intern) => Intern) | undefined } = { happens: undefined }

const racingStore = Layer.effect(
  InternStore,
  InternStore.useSync((store) => ({
    ...store,
    list: (...asked) =>
      Effect.tap(store.list(...asked), ({ rows }) => {
        const { happens } = meanwhile
        meanwhile.happens = undefined
        return happens === undefined
          ? Effect.void
          : Effect.forEach(rows, (row) =>
              Effect.orDie(
                store.replace(row.version, { ...happens(row), version: row.version + 1 })
              )
            )
      })
  }))
).pipe(Layer.provideMerge(memoryStores))

describe("destroyed interns", () => {
  it("have no work to archive or lose before their first run", () =>
    withInternFixture((hosted) =>
      Effect.gen(function* () {
        const slow = yield* Deferred.make<void>()
        hosted.script("step 0", Deferred.await(slow))
        hosted.script("archive", makeHostFailure("there is no machine", true))
        const { intern } = yield* create({ provision: true })
        yield* waitUntil(Effect.sync(() => hosted.listCalls().includes("step 0")))
        yield* destroy(intern.id)
        yield* Deferred.succeed(slow, undefined)
        yield* waitUntilRemoved(intern.id)
        assert.deepStrictEqual(hosted.listCalls(), ["prepare", "step 0", "destroy"])
      })
    ))

  it("have no work to archive after a failed first provision, and keep the settings of that run", () =>
    withInternFixture((hosted) =>
      Effect.gen(function* () {
        hosted.script("step 0", makeHostFailure("no", true))
        hosted.script("archive", makeHostFailure("there is no machine", true))
        const { intern } = yield* create({ provision: true, instructions: "be brief" })
        yield* waitForStatus(intern.id, "failed")
        yield* Interns.use((interns) =>
          interns.update(ann, intern.id, { name: "eve", instructions: null })
        )
        yield* destroy(intern.id)
        yield* waitUntilRemoved(intern.id)
        assert.notInclude(hosted.listCalls(), "archive")
        const { instructions, name } = hosted.calls.at(-1)!.intern
        assert.deepStrictEqual({ instructions, name }, { instructions: "be brief", name: "ida" })
      })
    ))

  it("answer the same create until they are removed, while their name stays taken", () =>
    withInternFixture((hosted) =>
      Effect.gen(function* () {
        const { intern } = yield* create()
        const slow = yield* Deferred.make<void>()
        hosted.script(
          "destroy",
          Effect.andThen(Deferred.await(slow), makeHostFailure("locked", true))
        )
        yield* destroy(intern.id)
        assert.strictEqual((yield* create()).intern.status, "destroying")
        yield* Deferred.succeed(slow, undefined)
        yield* waitForStatus(intern.id, "destroy_failed")
        const repeated = yield* create()
        assert.deepStrictEqual([repeated.intern.id, repeated.isNew], [intern.id, false])
        assert.strictEqual((yield* Effect.flip(create({}, { key: "again" })))._tag, "NameTaken")
        yield* destroy(intern.id)
        yield* waitUntilRemoved(intern.id)
        const anew = yield* create({}, { key: "again" })
        assert.deepStrictEqual([anew.intern.status, anew.isNew], ["stopped", true])
      })
    ))

  it("can be suspended again after a failed suspension, and keep their secrets until then", () =>
    withInternFixture((hosted) =>
      Effect.gen(function* () {
        const id = yield* runningIntern()
        hosted.script("suspend", makeHostFailure("locked", true))
        yield* suspend(id)
        yield* waitUntil(
          Effect.map(find(id), (now) => now.lastFailureMessage === "suspending it: locked")
        )
        assert.strictEqual((yield* find(id)).status, "stopped")
        assert.strictEqual((yield* Effect.flip(suspend(id)))._tag, "WrongStatus")
        const { vault } = yield* find(id)
        const secret = { value: Redacted.make("hush"), hosts: ["api.example.com"] }
        yield* Vaults.use((vaults) => vaults.put(ann, vault, "token", secret))
        const { releaseSecrets } = hosted.calls.at(-1)!.intern
        assert.lengthOf(yield* releaseSecrets("api.example.com"), 1)
        yield* provision(id)
        yield* waitForStatus(id, "running")
        yield* suspend(id)
        yield* waitUntil(Effect.sync(() => hosted.countRuns(id, "suspend") === 2))
        yield* waitForStatus(id, "stopped")
        assert.isNull((yield* find(id)).lastFailureMessage)
        yield* destroy(id)
        yield* waitUntilRemoved(id)
        assert.lengthOf(yield* releaseSecrets("api.example.com"), 0)
      })
    ))

  it("are archived if they ran once, even if a later provision failed", () =>
    withInternFixture((hosted) =>
      Effect.gen(function* () {
        const id = yield* runningIntern()
        yield* suspend(id)
        yield* waitUntil(Effect.sync(() => hosted.listCalls(id).includes("suspend")))
        hosted.script("step 0", makeHostFailure("no", true))
        yield* provision(id)
        yield* waitForStatus(id, "failed")
        yield* destroy(id)
        yield* waitUntilRemoved(id)
        assert.deepStrictEqual(hosted.listCalls(id).slice(-2), ["archive", "destroy"])
      })
    ))

  it("are not archived again after a failed destroy", () =>
    withInternFixture((hosted) =>
      Effect.gen(function* () {
        const id = yield* runningIntern()
        hosted.script("destroy", makeHostFailure("locked", true))
        yield* destroy(id)
        yield* waitForStatus(id, "destroy_failed")
        hosted.script("archive", makeHostFailure("there is no machine", true))
        yield* destroy(id)
        yield* waitUntilRemoved(id)
        assert.deepStrictEqual(hosted.listCalls(id).slice(-3), ["archive", "destroy", "destroy"])
      })
    ))

  it("stay lost once that is acknowledged, however often they are deleted", () =>
    withInternFixture((hosted) =>
      Effect.gen(function* () {
        const id = yield* runningIntern()
        hosted.script(
          "archive",
          makeHostFailure("disk full", true),
          makeHostFailure("disk full", true)
        )
        hosted.script("destroy", makeHostFailure("locked", true))
        yield* destroy(id)
        yield* waitForStatus(id, "destroy_failed")
        yield* destroy(id, true)
        yield* waitForStatus(id, "destroy_failed")
        yield* destroy(id)
        yield* waitUntilRemoved(id)
        assert.deepStrictEqual(hosted.listCalls(id).slice(-3), ["archive", "destroy", "destroy"])
      })
    ))

  it("are destroyed after their workspace is deleted, even if their host fails for hours", () =>
    withInternFixture((hosted) =>
      Effect.gen(function* () {
        const by = yield* createOtherWorkspace
        const { intern } = yield* create({}, { by })
        hosted.script("destroy", ...Array.from({ length: 12 }, () => makeHostFailure("away")))
        yield* Workspaces.use((workspaces) => workspaces.remove(ann, by.workspace))
        yield* waitUntil(
          Effect.map(
            findStored(intern.id),
            (row) => row?.lastFailureMessage === "destroying it: away"
          )
        )
        assert.strictEqual((yield* findStored(intern.id))?.status, "destroying")
        // The pauses between attempts are longer than `waitUntil` waits. One jump may pass only one of them.
        for (let hour = 0; hour < 48 && !(yield* isGone(intern.id)); hour++) {
          yield* TestClock.adjust("1 hour")
          yield* settle
        }
        yield* waitUntil(isGone(intern.id))
        const destroyed = hosted.listCalls(intern.id).filter((call) => call === "destroy")
        // Steps run at least once: one whose claim expired during a clock jump runs again.
        assert.isAtLeast(destroyed.length, 13)
      })
    ))

  it("are destroyed with their workspace during a concurrent delete", () =>
    withInternFixture(
      () =>
        Effect.gen(function* () {
          const by = yield* createOtherWorkspace
          const { intern } = yield* create({}, { by })
          meanwhile.happens = (row) => ({
            ...row,
            status: "destroying",
            run: { ...row.run, number: row.run.number + 1, kind: "destroy", archive: "required" }
          })
          yield* Workspaces.use((workspaces) => workspaces.remove(ann, by.workspace))
          const { isOrphan, archive } = (yield* findStored(intern.id))!.run
          assert.deepStrictEqual({ archive, isOrphan }, { archive: "best_effort", isOrphan: true })
        }),
      { stores: racingStore }
    ))

  it("are destroyed with their workspace although a destroy has failed before", () =>
    withInternFixture(
      () =>
        Effect.gen(function* () {
          const by = yield* createOtherWorkspace
          const { intern } = yield* create({}, { by })
          const store = yield* InternStore
          const destroying: Intern = {
            ...intern,
            version: intern.version + 1,
            status: "destroying",
            run: { ...intern.run, number: 1, kind: "destroy", archive: "required" }
          }
          assert.isTrue(yield* store.replace(intern.version, destroying))
          meanwhile.happens = (row) => ({
            ...row,
            status: "destroy_failed",
            lastFailureMessage: "workspace_archive_failed: disk full"
          })
          yield* Workspaces.use((workspaces) => workspaces.remove(ann, by.workspace))
          yield* waitUntil(isGone(intern.id))
        }),
      { stores: racingStore }
    ))

  it("show no progress after their set-up has failed", () =>
    withInternFixture((hosted) =>
      Effect.gen(function* () {
        hosted.script("prepare", ...Array.from({ length: 30 }, () => makeHostFailure("no")))
        yield* Effect.exit(create())
        yield* waitUntil(Effect.sync(() => hosted.listCalls().length >= 5))
        const { id } = hosted.calls[0]!.intern
        yield* provision(id)
        yield* waitForStatus(id, "failed")
        assert.isNull((yield* find(id)).progress)
      })
    ))
})
