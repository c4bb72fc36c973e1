/** Deleting a workspace on Postgres while its interns are created, changed and deleted. */
import { type Caller, WorkspaceId } from "@signalbox/core"
import { Interns, Vaults, Workspaces } from "@signalbox/core/adapter"
import { InternStore, VaultStore } from "@signalbox/core/stores"
import { ScriptedInternHost } from "@signalbox/testing"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import { assert, describe, it } from "vitest"
import { postgres } from "../../src/index.ts"
import { newSchema } from "../databases.ts"
import { ann, layerInternInstance } from "../internInstance.ts"

const create = (by: Caller, name: string, vault_id?: string) =>
  Interns.use((interns) =>
    interns.create(by, { name, ...(vault_id === undefined ? undefined : { vault_id }) })
  )

const secret = { value: Redacted.make("s3cret"), hosts: ["api.example.com"] }
const names = ["one", "two", "three", "four"]

describe("deleting a workspace", () => {
  it("deletes all of its interns and vaults despite concurrent changes", { timeout: 900_000 }, () =>
    Effect.gen(function* () {
      const host = new ScriptedInternHost()
      const schema = newSchema()
      const first = yield* Layer.build(Layer.fresh(layerInternInstance(postgres(schema), host)))
      const second = yield* Layer.build(Layer.fresh(layerInternInstance(postgres(schema), host)))
      const onFirst = Effect.provideContext(first)
      const onSecond = Effect.provideContext(second)
      for (let round = 0; round < 12; round++) {
        const { id } = yield* onFirst(
          Workspaces.use((workspaces) => workspaces.create(ann, { name: "W", slug: `w-${round}` }))
        )
        const by = { ...ann, workspace: WorkspaceId.make(id) }
        const { intern: lender } = yield* onFirst(create(by, "lender"))
        const borrowers = yield* onFirst(
          Effect.forEach(names, (name) => create(by, name, lender.vault))
        )
        yield* onSecond(Vaults.use((vaults) => vaults.put(by, lender.vault, "own", secret)))
        const results = yield* Effect.all(
          {
            lender: Effect.exit(onFirst(Interns.use((interns) => interns.destroy(by, lender.id)))),
            removed: Effect.exit(
              onSecond(Workspaces.use((workspaces) => workspaces.remove(ann, id))).pipe(
                Effect.delay(50 * round)
              )
            ),
            others: Effect.forEach(
              borrowers,
              ({ intern }, n) =>
                Effect.exit(
                  Effect.all([
                    onFirst(
                      Interns.use((interns) =>
                        interns.update(by, intern.id, { description: `${n}` })
                      )
                    ),
                    onFirst(Vaults.use((vaults) => vaults.put(by, intern.vault, "own", secret))),
                    onSecond(Interns.use((interns) => interns.destroy(by, intern.id)))
                  ]).pipe(Effect.delay(100 * n))
                ),
              { concurrency: "unbounded" }
            ),
            more: Effect.exit(
              onSecond(create(by, "more", lender.vault)).pipe(Effect.delay(30 * round))
            )
          },
          { concurrency: "unbounded" }
        )
        assert.strictEqual(results.removed._tag, "Success", String(results.removed))
        const left = Effect.all([
          InternStore.use((store) => store.list(ann.account, by, { limit: 9 })),
          VaultStore.use((store) => store.listByWorkspace(ann.account, by.workspace))
        ])
        const [interns, vaults] = yield* onFirst(left).pipe(
          Effect.repeat({
            until: ([{ rows }]) => rows.length === 0,
            schedule: Schedule.spaced(50),
            times: 200
          })
        )
        assert.deepStrictEqual({ interns: interns.rows, vaults }, { interns: [], vaults: [] })
      }
    }).pipe(Effect.scoped, Effect.runPromise)
  )
})
