import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MemoryJournal } from "../../../../src/memory/MemoryJournal.ts"
import { AuditLog } from "../../../../src/engine/observability/audit/AuditLog.ts"
import * as Settings from "../../../../src/instance/Settings.ts"
import { AccountId } from "../../../../src/values/ids/Ids.ts"
import { memoryAuditLog } from "../../../../src/memory/memoryAuditLog.ts"

const [quiet, loud] = [AccountId.make("quiet"), AccountId.make("loud")]
const all = { limit: 100 }

describe("AuditLog in memory", () => {
  it.effect("does not evict the entries of one account for those of another", () =>
    Effect.gen(function* () {
      const log = yield* AuditLog
      const append = (account: AccountId, id: string) =>
        log.append({ id, account, at: 0, actor: {}, action: "thing.update", target: "x" })
      yield* append(quiet, "first")
      for (let id = 1; id <= 50; id++) yield* append(loud, String(id))
      const { rows } = yield* log.list(loud, all)
      assert.deepStrictEqual(
        rows.map(({ id }) => id),
        ["50", "49", "48"]
      )
      assert.lengthOf((yield* log.list(quiet, all)).rows, 1)
    }).pipe(
      Effect.provide(
        memoryAuditLog.pipe(
          Layer.provide([MemoryJournal.layer, Settings.layer({ maxAuditEntriesPerAccount: 3 })])
        )
      )
    )
  )
})
