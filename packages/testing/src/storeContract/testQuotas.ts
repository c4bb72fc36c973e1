/** Tests the quota of a store: concurrent inserts never exceed it. */
import { type AccountId, Transaction, type Quota, enforceQuota } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import { assert, it } from "vitest"
import * as fresh from "./fixtures.ts"

interface QuotaCase {
  readonly count: (account: AccountId, workspace?: string) => Effect.Effect<number>
  readonly add: (account: AccountId, workspace: string) => Effect.Effect<unknown, unknown>
}

const countAdded = (results: ReadonlyArray<Result.Result<unknown, unknown>>) =>
  results.filter(Result.isSuccess).length

const concurrently = { concurrency: "unbounded" } as const

export const testQuotas = <Stores>(
  run: (test: Effect.Effect<void, unknown, Transaction | Stores | Scope.Scope>) => Promise<void>,
  what: string,
  trial: Effect.Effect<QuotaCase, never, Stores>,
  { areInWorkspaces = true }: { readonly areInWorkspaces?: boolean } = {}
): void => {
  it(`never exceeds the quota of ${what} under concurrent inserts`, () =>
    run(
      Effect.gen(function* () {
        const { add, count } = yield* trial
        const { withTransaction } = yield* Transaction
        const account = fresh.makeAccountId()
        const [one, two] = [crypto.randomUUID(), crypto.randomUUID()]
        const quota: Quota = {
          what,
          account: { most: 3, setting: "perAccount" },
          ...(areInWorkspaces ? { workspace: { most: 2, setting: "perWorkspace" } } : undefined)
        }
        const rush = (within: string) =>
          Effect.forEach(
            Array.from({ length: 10 }),
            () =>
              Effect.result(
                withTransaction(
                  enforceQuota(
                    quota,
                    (workspace) => count(account, workspace),
                    add(account, within),
                    areInWorkspaces ? { within } : {}
                  )
                )
              ),
            concurrently
          )
        const first = yield* rush(one)
        assert.strictEqual(countAdded(first), areInWorkspaces ? 2 : 3)
        for (const refused of first.filter(Result.isFailure)) {
          assert.deepInclude(refused.failure, {
            _tag: "QuotaExceeded",
            what,
            ...(areInWorkspaces
              ? { of: "workspace", most: 2, setting: "perWorkspace" }
              : { of: "account", most: 3, setting: "perAccount" })
          })
        }
        const second = yield* rush(two)
        assert.strictEqual(countAdded(second), areInWorkspaces ? 1 : 0)
        for (const refused of second.filter(Result.isFailure)) {
          assert.deepInclude(refused.failure, { _tag: "QuotaExceeded", of: "account", most: 3 })
        }
        assert.strictEqual(yield* count(account), 3)
        if (areInWorkspaces) {
          assert.strictEqual(yield* count(account, one), 2)
          assert.strictEqual(yield* count(account, two), 1)
        }
        assert.strictEqual(yield* count(fresh.makeAccountId()), 0)
      })
    ))
}
