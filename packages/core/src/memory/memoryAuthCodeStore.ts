/** AuthCodeStore in the memory of this process. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type AuthCode, AuthCodeStore } from "../domains/pkce/AuthCode.ts"
import type { KeyHash } from "../values/ids/Ids.ts"
import { makeMemoryTable, removeWhere } from "./makeMemoryTable.ts"
import { MemoryJournal } from "./MemoryJournal.ts"
import { MemoryPeople } from "./MemoryPeople.ts"

export const memoryAuthCodeStore: Layer.Layer<AuthCodeStore, never, MemoryJournal> = Layer.effect(
  AuthCodeStore,
  Effect.gen(function* () {
    const table = makeMemoryTable<KeyHash, AuthCode>(yield* MemoryJournal)
    const people = yield* MemoryPeople

    people.register(({ account, kind, name }) =>
      kind === "user"
        ? removeWhere(table, (code) => code.account === account && code.user === name)
        : Effect.succeed(0)
    )

    return {
      put: (code, now) =>
        // Nothing else purges a store in memory.
        Effect.andThen(
          removeWhere(table, ({ expiresAt }) => expiresAt <= now),
          table.edit((draft) => draft.set(code.hash, code))
        ),
      find: (hash) => Effect.sync(() => table.rows.get(hash)),
      take: (hash) => table.edit((draft) => draft.delete(hash)),
      count: (account, now) =>
        Effect.sync(
          () =>
            Array.from(table.rows.values()).filter(
              (code) => code.account === account && code.expiresAt > now
            ).length
        ),
      purge: (now) => Effect.asVoid(removeWhere(table, ({ expiresAt }) => expiresAt <= now))
    }
  })
)
