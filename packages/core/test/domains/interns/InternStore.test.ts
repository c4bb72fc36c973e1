import { assert, describe, it } from "vitest"
import * as Effect from "effect/Effect"
import * as InternId from "../../../src/domains/interns/InternId.ts"
import type { Intern } from "../../../src/domains/interns/Intern.ts"
import { InternStore } from "../../../src/domains/interns/InternStore.ts"
import { memoryStores } from "../../../src/domains.ts"
import { AccountId, UserId, WorkspaceId } from "../../../src/values/ids/Ids.ts"
import { VaultId } from "../../../src/domains/vaults/VaultId.ts"

const account = AccountId.make("default")

let looked = 0

/** Counts how often a row is compared. */
const intern = (workspace: string, n: number): Intern => ({
  id: InternId.InternId.make(`intern_${String(n).padStart(20, "0")}`),
  version: 1,
  account,
  get workspace() {
    looked++
    return WorkspaceId.make(workspace)
  },
  creator: UserId.make("ann"),
  name: `i${n}`,
  description: null,
  instructions: null,
  model: null,
  get status() {
    looked++
    return "stopped" as const
  },
  progress: null,
  lastFailureMessage: null,
  hostname: null,
  vault: VaultId.make(crypto.randomUUID()),
  attachedVault: null,
  createdAt: n,
  updatedAt: n,
  creation: { fingerprint: "f", shouldProvision: false, isReady: true, failures: 0 },
  run: {
    number: 0,
    kind: "none",
    hasRun: false,
    name: `i${n}`,
    model: null,
    instructions: null,
    completedSteps: 0,
    notes: []
  }
})

describe("interns in memory", () => {
  it("are listed without reading those of other workspaces", () =>
    Effect.gen(function* () {
      const store = yield* InternStore
      const [crowded, quiet] = [crypto.randomUUID(), crypto.randomUUID()]
      for (let n = 0; n < 200; n++) yield* store.add(intern(n % 100 === 0 ? quiet : crowded, n))
      looked = 0
      const page = (workspace: string) =>
        store.list(
          account,
          { workspace: WorkspaceId.make(workspace), statuses: ["stopped"] },
          { limit: 5 }
        )
      assert.deepStrictEqual(
        (yield* page(quiet)).rows.map(({ name }) => name),
        ["i100", "i0"]
      )
      assert.isAtMost(looked, 2)
      looked = 0
      assert.lengthOf((yield* page(crowded)).rows, 5)
      assert.isAtMost(looked, 6)
    }).pipe(Effect.provide(memoryStores), Effect.runPromise))
})
