/** Commands to interns, and a simple model of their results. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as fc from "fast-check"
import { assert } from "vitest"
import type { Caller } from "../../../src/tenants/auth/Caller.ts"
import {
  InternHostFailure,
  type HostedIntern,
  type InternHost
} from "../../../src/domains/interns/host/InternHost.ts"
import type { InternPatch } from "../../../src/domains/interns/InternRequest.ts"
import { Interns } from "../../../src/domains/interns/Interns.ts"
import type { InternStatus } from "../../../src/domains/interns/InternStatus.ts"
import type { Stores } from "../../../src/domains.ts"
import { VaultStore } from "../../../src/domains/vaults/VaultStore.ts"
import { ann, bob, create, elapse, find, withInternFixture, waitUntil } from "./internFixture.ts"

/** Whether the host's steps fail for good. */
interface ScriptedOutcomes {
  readonly step: boolean
  readonly archive: boolean
  readonly destroy: boolean
}

/** The settings that an intern runs with. */
interface Facts {
  readonly name: string
  readonly model: string | null
  readonly instructions: string | null
}

/** Blocks all answers until it is opened. */
class GatedHost {
  /** The settings of the last boot of each intern. */
  readonly booted = new Map<string, Facts>()
  #fates: ScriptedOutcomes | undefined
  readonly #waiting: Array<() => void> = []

  open(fates: ScriptedOutcomes): void {
    this.#fates = fates
    for (const go of this.#waiting.splice(0)) go()
  }
  close(): void {
    this.#fates = undefined
  }
  readonly #asked = (
    what: keyof ScriptedOutcomes | undefined
  ): Effect.Effect<void, InternHostFailure> =>
    Effect.suspend(() => {
      const fates = this.#fates
      if (fates === undefined) {
        const opened = Effect.callback<void>((resume) => {
          this.#waiting.push(() => resume(Effect.void))
        })
        return Effect.andThen(opened, this.#asked(what))
      }
      return what !== undefined && fates[what]
        ? Effect.fail(new InternHostFailure({ problem: "no", isFinal: true }))
        : Effect.void
    })
  readonly host: InternHost = {
    slug: "gated",
    steps: [
      { label: "One", run: () => this.#asked(undefined), undo: () => this.#asked(undefined) },
      {
        label: "Two",
        run: ({ id, instructions, model, name: named }: HostedIntern) => {
          this.booted.set(id, { name: named, model, instructions })
          return this.#asked("step")
        }
      }
    ],
    suspend: () => this.#asked(undefined),
    archive: () => this.#asked("archive"),
    destroy: () => this.#asked("destroy")
  }
}

export type Command =
  | {
      readonly does: "create"
      readonly by: 0 | 1
      readonly name: string
      readonly description: string | null
      readonly provision: boolean
      readonly key: string | undefined
    }
  | { readonly does: "provision" | "suspend"; readonly which: number }
  | { readonly does: "destroy"; readonly which: number; readonly acknowledges: boolean }
  | { readonly does: "update"; readonly which: number; readonly patch: InternPatch }
  /** Idempotency keys of creates expire. */
  | { readonly does: "linger" }
  | { readonly does: "wait"; readonly fates: ScriptedOutcomes }

/** The expected state of an intern. `busy`: queued or provisioning. */
interface ModelIntern {
  readonly by: number
  /** Absent if the key was reused. */
  key: string | undefined
  readonly fingerprint: string
  /** The expiry of its idempotency key, in milliseconds since the epoch. */
  readonly keptUntil: number
  facts: Facts
  /** The facts of its last provision. */
  provisioned: Facts
  status: "busy" | Exclude<InternStatus, "queued" | "provisioning">
  isArchiveFailed: boolean
  /** Whether a provision of it has succeeded. */
  hasRun: boolean
  acknowledged: boolean
}

const name = fc.constantFrom("aa", "bb", "cc")
const internIndex = fc.nat(5)
const rareBoolean = fc.nat(3).map((number) => number === 0)
export const internCommand: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant("create" as const),
      by: fc.constantFrom(0 as const, 1 as const),
      name,
      description: fc.constantFrom(null, "x"),
      provision: fc.boolean(),
      key: fc.constantFrom(undefined, undefined, "k", "l")
    })
  },
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constantFrom("provision" as const, "suspend" as const),
      which: internIndex
    })
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant("destroy" as const),
      which: internIndex,
      acknowledges: fc.boolean()
    })
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant("update" as const),
      which: internIndex,
      patch: fc.record(
        {
          name,
          model: fc.constantFrom(null, "a/one", "a/two:free"),
          instructions: fc.constantFrom(null, "be brief")
        },
        { requiredKeys: [] }
      )
    })
  },
  { weight: 1, arbitrary: fc.constant({ does: "linger" as const }) },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant("wait" as const),
      fates: fc.record({ step: rareBoolean, archive: rareBoolean, destroy: rareBoolean })
    })
  }
)

/** Milliseconds, far less than any step of the host takes. */
const keysKeptMillis = 5_000

const callers: readonly [Caller, Caller] = [ann, bob]

/** The expected result of a command: the tag of a failure, or `done`. */
class Model {
  /** In order of arrival. */
  readonly rows = new Map<string, ModelIntern>()

  create(
    asked: Extract<Command, { does: "create" }>,
    now: number
  ): "kept" | "new" | "IdempotencyKeyReused" | "NameTaken" {
    const { key } = Model.creationOf(asked)
    const kept = this.findCreated(asked)?.[1]
    if (kept !== undefined && now < kept.keptUntil) {
      return kept.key === key && kept.fingerprint === Model.creationOf(asked).fingerprint
        ? "kept"
        : "IdempotencyKeyReused"
    }
    return this.isTaken(asked.by, asked.name) ? "NameTaken" : "new"
  }
  findCreated(asked: Extract<Command, { does: "create" }>) {
    const { key } = Model.creationOf(asked)
    return Array.from(this.rows).find(([, row]) => row.key === key)
  }
  isTaken(by: number, taken: string, except?: ModelIntern): boolean {
    return Array.from(this.rows.values()).some(
      (row) => row !== except && row.by === by && row.facts.name === taken
    )
  }
  static creationOf({
    by,
    description,
    key,
    name: named,
    provision
  }: Extract<Command, { does: "create" }>) {
    const fingerprint = JSON.stringify([named, description, provision])
    return { fingerprint, key: JSON.stringify([by, key ?? { fingerprint }]) }
  }
  wait({ archive, destroy, step }: ScriptedOutcomes): void {
    for (const [id, row] of this.rows) {
      if (row.status === "busy") {
        row.status = step ? "failed" : "running"
        row.hasRun ||= !step
      }
      if (row.status !== "destroying") continue
      const archives = row.hasRun && !row.acknowledged
      row.isArchiveFailed = archives && archive
      if (row.isArchiveFailed || destroy) row.status = "destroy_failed"
      else this.rows.delete(id)
    }
  }
  provision(row: ModelIntern): string {
    if (!["stopped", "failed"].includes(row.status)) return "WrongStatus"
    Object.assign(row, { status: "busy", provisioned: row.facts })
    return "done"
  }
  suspend(row: ModelIntern): string {
    if (row.status !== "running") return "WrongStatus"
    row.status = "stopped"
    return "done"
  }
  destroy(row: ModelIntern, acknowledges: boolean): string {
    if (row.status === "destroying") return "WrongStatus"
    if (row.status === "destroy_failed" && row.isArchiveFailed && !acknowledges) {
      return "LossUnacknowledged"
    }
    const isBehind = row.status === "destroy_failed" && !row.isArchiveFailed
    Object.assign(row, {
      status: "destroying",
      acknowledged: acknowledges || isBehind,
      isArchiveFailed: false
    })
    return "done"
  }
  update(row: ModelIntern, patch: InternPatch): string {
    if (patch.name !== undefined && this.isTaken(row.by, patch.name, row)) return "NameTaken"
    row.facts = { ...row.facts, ...patch }
    return "done"
  }
}

const outcome = <E extends { readonly _tag: string }, R>(effect: Effect.Effect<unknown, E, R>) =>
  Effect.match(effect, { onSuccess: () => "done", onFailure: ({ _tag }) => _tag })

const isSettled = ({ status }: { readonly status: InternStatus }): boolean =>
  !["queued", "provisioning", "destroying"].includes(status)

const all = Interns.use((interns) => interns.list(ann, undefined, { limit: 100 }))

const waitFor = Effect.fnUntraced(function* (gated: GatedHost, fates: ScriptedOutcomes) {
  gated.open(fates)
  yield* waitUntil(
    Effect.map(all, ({ rows }) =>
      rows.every(
        (row) =>
          (isSettled(row) && row.claim === undefined && row.run.kind !== "suspend") ||
          (isSettled(row) && row.run.completedSteps === 1)
      )
    )
  )
  gated.close()
})

const run = Effect.fnUntraced(function* (gated: GatedHost, model: Model, asked: Command) {
  const interns = yield* Interns
  if (asked.does === "wait") {
    yield* waitFor(gated, asked.fates)
    model.wait(asked.fates)
    return
  }
  if (asked.does === "create") {
    const { by, description, key, name: named, provision } = asked
    const now = yield* Clock.currentTimeMillis
    const expected = model.create(asked, now)
    const made = yield* Effect.result(
      create(
        { name: named, description, provision },
        { by: callers[by], ...(key === undefined ? {} : { key }) }
      )
    )
    if (made._tag === "Failure") {
      assert.strictEqual(made.failure._tag, expected)
      return
    }
    const { intern, isNew } = made.success
    assert.strictEqual(isNew ? "new" : "kept", expected)
    if (isNew) {
      const lapsed = model.findCreated(asked)?.[1]
      if (lapsed !== undefined) lapsed.key = undefined
      const facts = { name: named, model: null, instructions: null }
      model.rows.set(intern.id, {
        ...Model.creationOf(asked),
        by,
        keptUntil: now + keysKeptMillis,
        facts,
        provisioned: facts,
        status: provision ? "busy" : "stopped",
        isArchiveFailed: false,
        hasRun: false,
        acknowledged: false
      })
    } else {
      assert.strictEqual(intern.id, model.findCreated(asked)?.[0])
    }
    return
  }
  if (asked.does === "linger") {
    yield* elapse(keysKeptMillis / 1_000 + 1)
    return
  }
  const chosen = Array.from(model.rows)[asked.which]
  if (chosen === undefined) return
  const [id, row] = chosen
  switch (asked.does) {
    case "provision":
      assert.strictEqual(yield* outcome(interns.provision(bob, id)), model.provision(row))
      return
    case "suspend":
      assert.strictEqual(yield* outcome(interns.suspend(bob, id)), model.suspend(row))
      return
    case "destroy":
      assert.strictEqual(
        yield* outcome(interns.destroy(bob, id, { acknowledgesLoss: asked.acknowledges })),
        model.destroy(row, asked.acknowledges)
      )
      return
    case "update":
      assert.strictEqual(
        yield* outcome(interns.update(bob, id, asked.patch)),
        model.update(row, asked.patch)
      )
  }
})

const compare = Effect.fnUntraced(function* (gated: GatedHost, model: Model) {
  const expected = Array.from(model.rows).toReversed()
  const { rows } = yield* all
  assert.deepStrictEqual(
    rows.map(({ id, instructions, model: meant, name: named }) => [
      id,
      { name: named, model: meant, instructions }
    ]),
    expected.map(([id, row]) => [id, row.facts])
  )
  for (const [index, row] of rows.entries()) {
    const { status } = row
    const shown = status === "queued" || status === "provisioning" ? "busy" : status
    assert.strictEqual(shown, expected[index]?.[1].status)
    assert.strictEqual(row.progress === null, status !== "provisioning")
    if (status === "running") {
      assert.deepStrictEqual(gated.booted.get(row.id), expected[index]?.[1].provisioned)
    }
    assert.isDefined(yield* VaultStore.use((store) => store.find(row.vault)))
  }
  const vaults = yield* VaultStore.use((store) => store.listByWorkspace(ann.account, ann.workspace))
  assert.lengthOf(
    vaults.filter(({ intern }) => intern !== null),
    rows.length
  )
})

/**
 * Runs the commands in order, compares each result with the model, and then deletes all interns.
 */
export const checkAgainstModel = (
  commands: ReadonlyArray<Command>,
  stores?: Layer.Layer<Stores, Error>
): Promise<void> => {
  const gated = new GatedHost()
  const model = new Model()
  return withInternFixture(
    () =>
      Effect.gen(function* () {
        for (const asked of commands) {
          yield* run(gated, model, asked)
          yield* compare(gated, model)
        }
        // Every intern can be deleted in the end.
        const nothingFails = { step: false, archive: false, destroy: false }
        yield* run(gated, model, { does: "wait", fates: nothingFails })
        const { rows } = yield* all
        for (const { id, status } of rows) {
          const result = yield* outcome(
            Interns.use((interns) => interns.destroy(ann, id, { acknowledgesLoss: true }))
          )
          assert.strictEqual(result, status === "destroying" ? "WrongStatus" : "done")
        }
        gated.open(nothingFails)
        yield* waitUntil(Effect.map(all, (left) => left.rows.length === 0))
        yield* elapse(1)
        for (const { id } of rows) {
          assert.strictEqual((yield* Effect.flip(find(id)))._tag, "ResourceNotFound")
        }
      }),
    {
      ...(stores === undefined ? undefined : { stores }),
      options: {
        interns: { host: gated.host },
        settings: { internIdempotencyKeyRetentionMillis: keysKeptMillis }
      }
    }
  )
}
