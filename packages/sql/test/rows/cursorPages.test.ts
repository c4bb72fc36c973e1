/** Cursor pagination in each database while rows are added. */
import { AccountId } from "@signalbox/core"
import {
  AuditLog,
  DeliveryStore,
  JobStore,
  type CursorRequest,
  type CursorPage,
  type Stores
} from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { scaleRuns } from "../../../../vitest.scope.ts"
import { emptyStores } from "../databases.ts"

const account = AccountId.make("acme")

interface List {
  readonly add: (id: string) => Effect.Effect<unknown, never, Stores>
  readonly list: (page: CursorRequest) => Effect.Effect<CursorPage<{ id: string }>, never, Stores>
}

const lists: Readonly<Record<string, List>> = {
  "the audit log": {
    add: (id) =>
      AuditLog.use((log) =>
        log.append({ id, account, at: 0, actor: {}, action: "thing.update", target: "x" })
      ),
    list: (page) => AuditLog.use((log) => log.list(account, page))
  },
  "deliveries of one workspace and state": {
    add: (id) =>
      DeliveryStore.use((store) =>
        store.add({
          id,
          account,
          workspace: "one",
          type: "a.type",
          url: "https://hooks.example.com/",
          isWorkspaceUrl: true,
          body: "{}",
          createdAt: 0,
          state: "pending",
          version: 1,
          failures: 0,
          attempts: []
        })
      ),
    list: (page) =>
      DeliveryStore.use((store) =>
        store.list(account, { workspace: "one", state: "pending" }, page)
      )
  },
  "dead letters": {
    add: (id) =>
      JobStore.use((store) =>
        store.deadLetter({ kind: "k", id, key: id, payload: 0, attempts: 1, reason: "Lost", at: 0 })
      ),
    list: (page) => JobStore.use((store) => store.listDeadLetters(page))
  }
}

const all = Object.entries(emptyStores()).flatMap(([database, layer]) =>
  Object.entries(lists).map(([name, list]) => ({ database, layer, name, ...list }))
)

describe.each(all)("$name in $database", ({ add, layer, list }) => {
  it("is complete over pages of any size, without rows added after the first page", () =>
    Effect.gen(function* () {
      const services = yield* Effect.context<Stores>()
      const added: Array<string> = []
      const addRows = Effect.fnUntraced(function* (count: number) {
        for (let row = 0; row < count; row++) {
          const id = `id-${added.length}`
          added.push(id)
          yield* add(id)
        }
      })
      const readAllPages = Effect.fnUntraced(function* (limit: number, addedBetween: number) {
        const expected = added.toReversed()
        const seen: Array<string> = []
        let page = yield* list({ limit })
        seen.push(...page.rows.map(({ id }) => id))
        while (page.nextCursor !== undefined) {
          assert.lengthOf(page.rows, limit)
          yield* addRows(addedBetween)
          page = yield* list({ limit, after: page.nextCursor })
          seen.push(...page.rows.map(({ id }) => id))
          assert.isAtMost(seen.length, expected.length)
        }
        assert.deepStrictEqual(seen, expected)
      })
      const sizes = {
        first: fc.nat(20),
        limit: fc.integer({ min: 5, max: 60 }),
        between: fc.nat(2)
      }
      const property = fc.asyncProperty(fc.record(sizes), ({ between, first, limit }) =>
        Effect.runPromiseWith(services)(
          Effect.andThen(addRows(first), readAllPages(limit, between))
        )
      )
      yield* Effect.promise(() => fc.assert(property, { numRuns: scaleRuns(20) }))
    }).pipe(Effect.provide(layer()), Effect.runPromise))
})
