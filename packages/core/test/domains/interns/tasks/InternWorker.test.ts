import { makeHostFailure } from "@signalbox/testing"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { assert, describe, it } from "vitest"
import type { Intern } from "../../../../src/domains/interns/Intern.ts"
import { Interns } from "../../../../src/domains/interns/Interns.ts"
import { InternStore } from "../../../../src/domains/interns/InternStore.ts"
import {
  makeFirstStep,
  makeInternJobKind,
  toJobOffer
} from "../../../../src/domains/interns/tasks/InternTask.ts"
import { toInternResponse } from "../../../../src/domains/interns/toInternResponse.ts"
import { DurableJobs } from "../../../../src/engine/jobs/DurableJobs.ts"
import { Settings } from "../../../../src/instance/Settings.ts"
import { AuditLog } from "../../../../src/engine/observability/audit/AuditLog.ts"
import { Vaults } from "../../../../src/domains/vaults/Vaults.ts"
import { VaultStore } from "../../../../src/domains/vaults/VaultStore.ts"
import { WorkspaceId } from "../../../../src/values/ids/Ids.ts"
import { Workspaces } from "../../../../src/tenants/workspaces/Workspaces.ts"
import {
  ann,
  create,
  destroy,
  elapse,
  find,
  waitUntilRemoved,
  withInternFixture,
  list,
  provision,
  waitForStatus,
  suspend,
  waitUntil
} from "../internFixture.ts"

const newIntern = (request: Parameters<typeof create>[0] = {}) =>
  Effect.map(create(request), ({ intern }) => intern.id)

const runningIntern = Effect.fnUntraced(function* (request: Parameters<typeof create>[0] = {}) {
  const id = yield* newIntern({ provision: true, ...request })
  yield* waitForStatus(id, "running")
  return id
})

const forExample = (value: string) => ({
  value: Redacted.make(value),
  hosts: ["api.example.com"]
})

const patch = (id: string, changes: Parameters<Interns["Service"]["update"]>[2]) =>
  Interns.use((interns) => interns.update(ann, id, changes))

describe("running interns", () => {
  it("provisions step by step, and shows the progress", () =>
    withInternFixture((hosted) =>
      Effect.gen(function* () {
        const [first, second] = [yield* Deferred.make<string>(), yield* Deferred.make<void>()]
        hosted.script("step 0", Deferred.await(first))
        hosted.script("step 1", Deferred.await(second))
        const id = yield* newIntern({ provision: true })
        yield* waitUntil(Effect.sync(() => hosted.listCalls().includes("step 0")))
        const { progress, status } = toInternResponse(yield* find(id))
        assert.deepStrictEqual(
          { progress, status },
          {
            progress: { step_label: "Creating", step_number: 1, total_steps: 2 },
            status: "provisioning"
          }
        )
        assert.isNull((yield* find(id)).hostname)
        yield* Deferred.succeed(first, "vm-1")
        yield* waitUntil(Effect.sync(() => hosted.listCalls().includes("step 1")))
        assert.deepStrictEqual((yield* find(id)).progress, { label: "Booting", step: 2, steps: 2 })
        yield* Deferred.succeed(second, undefined)
        yield* waitForStatus(id, "running")
        const running = yield* find(id)
        assert.isNull(running.progress)
        assert.strictEqual(running.hostname, "ida.interns.test")
        assert.deepStrictEqual(hosted.calls.at(-1)?.intern.notes, ["vm-1"])
        const found = yield* Interns.use((interns) => interns.findByHostname("IDA.interns.test."))
        assert.strictEqual(found?.id, id)
      })
    ))

  it("is provisioned with its current name, model and instructions", () =>
    withInternFixture((hosted) =>
      Effect.gen(function* () {
        const id = yield* newIntern({ instructions: "one" })
        yield* patch(id, { model: "a/b:free", instructions: "two" })
        yield* provision(id)
        yield* waitForStatus(id, "running")
        yield* patch(id, { model: null, instructions: "three", name: "eve" })
        yield* suspend(id)
        yield* waitUntil(Effect.sync(() => hosted.listCalls().includes("suspend")))
        const settings = hosted.calls.map(
          ({ call, intern: { instructions, model, name, run } }) => ({
            call,
            instructions,
            model,
            name,
            run
          })
        )
        const then = { instructions: "two", model: "a/b:free", name: "ida" }
        assert.deepStrictEqual(settings, [
          { call: "prepare", instructions: "one", model: null, name: "ida", run: 0 },
          { call: "step 0", ...then, run: 1 },
          { call: "step 1", ...then, run: 1 },
          { call: "suspend", ...then, run: 2 }
        ])
        yield* provision(id)
        yield* waitForStatus(id, "running")
        const { hostname, run } = yield* find(id)
        assert.strictEqual(run.instructions, "three")
        assert.strictEqual(hostname, "eve.interns.test")
      })
    ))

  it("rejects transitions that its status does not allow", () =>
    withInternFixture(() =>
      Effect.gen(function* () {
        const id = yield* newIntern()
        const refused = yield* Effect.flip(suspend(id))
        assert.isTrue(
          refused._tag === "WrongStatus" &&
            refused.status === "stopped" &&
            refused.event === "suspend"
        )
        yield* provision(id)
        assert.strictEqual((yield* Effect.flip(provision(id)))._tag, "WrongStatus")
        assert.strictEqual((yield* Effect.flip(suspend(id)))._tag, "WrongStatus")
        assert.strictEqual(
          (yield* Effect.flip(provision("intern_unknown")))._tag,
          "ResourceNotFound"
        )
        const stranger = { ...ann, workspace: WorkspaceId.make("another") }
        assert.strictEqual((yield* Effect.flip(find(id, stranger)))._tag, "ResourceNotFound")
      })
    ))

  it("retries a step, and after its final failure undoes the started steps, newest first", () =>
    withInternFixture(
      (hosted) =>
        Effect.gen(function* () {
          hosted.script("step 0", makeHostFailure("busy"), Effect.succeed("disk-1"))
          hosted.script("step 2", makeHostFailure("no such image", true))
          hosted.script("undo 2", makeHostFailure("away"))
          const id = yield* newIntern({ provision: true })
          yield* waitForStatus(id, "failed")
          assert.deepStrictEqual(hosted.listCalls(id), [
            "prepare",
            "step 0",
            "step 0",
            "step 1",
            "step 2",
            "undo 2",
            "undo 2",
            "undo 0"
          ])
          const { lastFailureMessage, progress } = yield* find(id)
          assert.strictEqual(lastFailureMessage, "Starting: no such image")
          assert.isNull(progress)
          assert.deepStrictEqual(hosted.calls.at(-1)?.intern.notes, ["disk-1", null])
          yield* provision(id)
          yield* waitForStatus(id, "running")
          assert.isNull((yield* find(id)).lastFailureMessage)
        }),
      { steps: ["Making a disk", "Naming it", "Starting"], lasting: [1] }
    ))

  it("fails when a step fails every time, hangs, or cannot be undone", () =>
    withInternFixture((hosted) =>
      Effect.gen(function* () {
        hosted.script("step 0", ...Array.from({ length: 5 }, () => makeHostFailure("busy")))
        hosted.script("undo 0", makeHostFailure("no", true))
        const id = yield* newIntern({ provision: true })
        yield* waitForStatus(id, "failed")
        assert.strictEqual(
          (yield* find(id)).lastFailureMessage,
          "Creating: busy; undoing: Creating: no"
        )
        hosted.script(
          "step 1",
          Effect.never,
          Effect.never,
          Effect.never,
          Effect.never,
          Effect.die("x")
        )
        yield* provision(id)
        yield* waitUntil(Effect.map(find(id), ({ status }) => status === "provisioning"))
        for (let minute = 0; minute < 40; minute++) yield* elapse(60)
        yield* waitForStatus(id, "failed")
        assert.match((yield* find(id)).lastFailureMessage ?? "", /^Booting: it failed unexpectedly/)
      })
    ))

  it("resumes after a suspension with the results of its steps", () =>
    withInternFixture((hosted) =>
      Effect.gen(function* () {
        hosted.script("step 0", Effect.succeed("vm-1"))
        const id = yield* runningIntern()
        const slow = yield* Deferred.make<void>()
        hosted.script("suspend", Deferred.await(slow))
        assert.strictEqual((yield* suspend(id)).status, "stopped")
        yield* waitUntil(Effect.sync(() => hosted.listCalls().includes("suspend")))
        yield* provision(id)
        yield* elapse(5)
        // Steps run one at a time.
        assert.strictEqual((yield* find(id)).status, "queued")
        yield* Deferred.succeed(slow, undefined)
        yield* waitForStatus(id, "running")
        assert.strictEqual(hosted.maxConcurrent, 1)
        assert.deepStrictEqual(hosted.calls.at(-1)?.intern.notes, [null, null])
        assert.deepStrictEqual(
          hosted.calls.findLast(({ call }) => call === "step 0")?.intern.notes,
          ["vm-1", null]
        )
      })
    ))

  it("reports a failed suspension", () =>
    withInternFixture((hosted) =>
      Effect.gen(function* () {
        const id = yield* runningIntern()
        hosted.script("suspend", makeHostFailure("stuck", true))
        yield* suspend(id)
        yield* waitUntil(
          Effect.map(find(id), ({ lastFailureMessage }) => lastFailureMessage !== null)
        )
        const { lastFailureMessage, status } = yield* find(id)
        assert.strictEqual(status, "stopped")
        assert.strictEqual(lastFailureMessage, "suspending it: stuck")
      })
    ))

  it("is archived and destroyed, and exists until then", () =>
    withInternFixture((hosted) =>
      Effect.gen(function* () {
        const id = yield* runningIntern()
        const { vault } = yield* find(id)
        const slow = yield* Deferred.make<void>()
        hosted.script("archive", Deferred.await(slow))
        assert.strictEqual((yield* destroy(id)).status, "destroying")
        assert.strictEqual((yield* Effect.flip(destroy(id)))._tag, "WrongStatus")
        yield* waitUntil(Effect.sync(() => hosted.listCalls().includes("archive")))
        yield* Deferred.succeed(slow, undefined)
        yield* waitUntilRemoved(id)
        assert.deepStrictEqual(hosted.listCalls(id).slice(-2), ["archive", "destroy"])
        assert.isUndefined(yield* VaultStore.use((store) => store.find(vault)))
        assert.strictEqual((yield* Effect.flip(destroy(id)))._tag, "ResourceNotFound")
      })
    ))

  it("is destroyed during its provision, which leaves nothing behind", () =>
    withInternFixture((hosted) =>
      Effect.gen(function* () {
        const slow = yield* Deferred.make<void>()
        hosted.script("step 0", Deferred.await(slow))
        const id = yield* newIntern({ provision: true })
        yield* waitUntil(Effect.sync(() => hosted.listCalls().includes("step 0")))
        yield* destroy(id)
        yield* elapse(6)
        assert.deepStrictEqual(hosted.listCalls(), ["prepare", "step 0"])
        yield* Deferred.succeed(slow, undefined)
        yield* waitUntilRemoved(id)
        yield* elapse(10)
        assert.deepStrictEqual(hosted.listCalls(), ["prepare", "step 0", "destroy"])
        assert.strictEqual(hosted.maxConcurrent, 1)
      })
    ))

  it("is released after a process dies during a step", () =>
    withInternFixture((hosted) =>
      Effect.gen(function* () {
        const id = yield* newIntern()
        const store = yield* InternStore
        const stopped = yield* find(id)
        const dead: Intern = {
          ...stopped,
          version: stopped.version + 1,
          status: "provisioning",
          run: { ...stopped.run, number: 1, kind: "provision", hasRun: true },
          claim: { owner: "1-step-0", expiresAt: 9_000_000_000_000_000 }
        }
        yield* store.replace(stopped.version, dead)
        yield* destroy(id)
        yield* elapse(10)
        assert.deepStrictEqual(hosted.listCalls(), ["prepare"])
        // Another worker gets the released step.
        const jobs = yield* DurableJobs
        yield* jobs.offer(makeInternJobKind(yield* Settings), toJobOffer(makeFirstStep(dead)))
        yield* waitUntilRemoved(id)
        assert.deepStrictEqual(hosted.listCalls(), ["prepare", "archive", "destroy"])
      })
    ))

  it("is kept when its work cannot be archived, until the loss is acknowledged", () =>
    withInternFixture((hosted) =>
      Effect.gen(function* () {
        const id = yield* runningIntern()
        hosted.script("archive", makeHostFailure("disk full", true))
        yield* destroy(id)
        yield* waitForStatus(id, "destroy_failed")
        assert.strictEqual(
          (yield* find(id)).lastFailureMessage,
          "workspace_archive_failed: archiving its workspace: disk full"
        )
        assert.strictEqual((yield* Effect.flip(destroy(id)))._tag, "LossUnacknowledged")
        assert.strictEqual((yield* Effect.flip(provision(id)))._tag, "WrongStatus")
        yield* destroy(id, true)
        yield* waitUntilRemoved(id)
        assert.deepStrictEqual(hosted.listCalls(id).slice(-2), ["archive", "destroy"])
      })
    ))

  it("can be deleted again when its host could not destroy it", () =>
    withInternFixture((hosted) =>
      Effect.gen(function* () {
        const id = yield* runningIntern()
        hosted.script("destroy", makeHostFailure("locked", true))
        yield* destroy(id)
        yield* waitForStatus(id, "destroy_failed")
        assert.strictEqual((yield* find(id)).lastFailureMessage, "destroying it: locked")
        yield* destroy(id)
        yield* waitUntilRemoved(id)
        assert.strictEqual(hosted.countRuns(id, "destroy"), 2)
      })
    ))

  it("archives nothing of an intern that never ran", () =>
    withInternFixture((hosted) =>
      Effect.gen(function* () {
        hosted.script("destroy", makeHostFailure("locked", true))
        const id = yield* newIntern({ instructions: "be brief" })
        yield* destroy(id)
        yield* waitForStatus(id, "destroy_failed")
        yield* destroy(id)
        yield* waitUntilRemoved(id)
        assert.deepStrictEqual(hosted.listCalls(), ["prepare", "destroy", "destroy"])
        assert.strictEqual(hosted.calls.at(-1)?.intern.instructions, "be brief")
      })
    ))

  it("is destroyed with its workspace, even if its work cannot be archived", () =>
    withInternFixture((hosted) =>
      Effect.gen(function* () {
        const workspaces = yield* Workspaces
        const { id: workspace } = yield* workspaces.create(ann, { name: "Two", slug: "two" })
        const by = { ...ann, workspace: WorkspaceId.make(workspace) }
        const { intern: running } = yield* create({ provision: true }, { by })
        yield* create({ name: "eve" }, { by })
        const { intern: leaving } = yield* create({ name: "max", provision: true }, { by })
        const elsewhere = yield* newIntern()
        const store = yield* InternStore
        yield* waitUntil(
          Effect.map(
            store.list(
              ann.account,
              { workspace: by.workspace, statuses: ["running"] },
              { limit: 9 }
            ),
            ({ rows }) => rows.length === 2
          )
        )
        hosted.script("archive", ...Array.from({ length: 20 }, () => makeHostFailure("no")))
        yield* Interns.use((interns) => interns.destroy(by, leaving.id))
        yield* workspaces.remove(ann, workspace)
        yield* waitUntil(
          Effect.map(
            store.list(ann.account, { workspace: by.workspace }, { limit: 9 }),
            ({ rows }) => rows.length === 0
          )
        )
        assert.strictEqual(hosted.countRuns(running.id, "destroy"), 1)
        assert.strictEqual((yield* find(elsewhere)).status, "stopped")
        assert.strictEqual(
          (yield* Effect.flip(create({ name: "new" }, { by })))._tag,
          "InvalidRequest"
        )
        const { rows } = yield* AuditLog.use((log) => log.list(ann.account, { limit: 50 }))
        assert.lengthOf(
          rows.filter(({ action }) => action === "intern.delete"),
          3
        )
      })
    ))

  it("releases to its host only the secrets for the requested host, and leaks none", () =>
    withInternFixture((hosted) =>
      Effect.gen(function* () {
        const vaults = yield* Vaults
        const { intern: lender } = yield* create({ name: "lender" })
        const { intern } = yield* create({ vault_id: lender.vault })
        yield* vaults.put(ann, lender.vault, "borrowed", forExample("s3cret-borrowed"))
        yield* vaults.put(ann, intern.vault, "own", forExample("s3cret-own"))
        const seen: Array<string> = []
        const ask = Effect.suspend(() => {
          const { intern: asking } = hosted.calls.at(-1)!
          return Effect.orDie(asking.releaseSecrets("api.example.com"))
        }).pipe(
          Effect.tap((released) =>
            Effect.sync(() => void seen.push(...released.map(({ value }) => Redacted.value(value))))
          )
        )
        hosted.script(
          "step 0",
          Effect.andThen(ask, makeHostFailure("sent s3cret-own and s3cret-borrowed", true))
        )
        yield* provision(intern.id)
        yield* waitForStatus(intern.id, "failed")
        assert.deepStrictEqual(seen.toSorted(), ["s3cret-borrowed", "s3cret-own"])
        assert.notInclude(JSON.stringify(yield* find(intern.id)), "s3cret")
      })
    ))

  it("is listed in the pages of its workspace", () =>
    withInternFixture(() =>
      Effect.gen(function* () {
        const names = ["aa", "bb", "cc"]
        yield* Effect.forEach(names, (name) => create({ name }))
        const first = yield* list(2)
        assert.deepStrictEqual(
          first.rows.map(({ name }) => name),
          ["cc", "bb"]
        )
        const rest = yield* Interns.use((interns) =>
          interns.list(ann, ["stopped", "stopped"], { limit: 2, after: first.nextCursor! })
        )
        assert.deepStrictEqual(
          rest.rows.map(({ name }) => name),
          ["aa"]
        )
        assert.isUndefined(rest.nextCursor)
      })
    ))

  it("updates the given fields, and rejects a duplicate name", () =>
    withInternFixture(() =>
      Effect.gen(function* () {
        const id = yield* newIntern({ description: "x" })
        yield* newIntern({ name: "eve" })
        const patched = yield* patch(id, { description: null, model: "a/b" })
        assert.isNull(patched.description)
        assert.deepStrictEqual(yield* patch(id, { model: "a/b" }), patched)
        assert.strictEqual((yield* Effect.flip(patch(id, { name: "eve" })))._tag, "NameTaken")
        assert.deepStrictEqual(yield* find(id), patched)
        const { rows } = yield* AuditLog.use((log) => log.list(ann.account, { limit: 50 }))
        assert.deepStrictEqual(
          rows.map(({ action }) => action),
          ["intern.update", "intern.create", "intern.create"]
        )
      })
    ))
})
