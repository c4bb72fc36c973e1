/** ContentStore in the memory of this process. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type ContentFilter, ContentStore } from "../domains/content/ContentStore.ts"
import type { KeptContent } from "../domains/content/KeptContent.ts"
import { listRowsToReseal } from "../engine/secrets/resealAll.ts"
import { Settings } from "../instance/Settings.ts"
import type { GenerationId } from "../values/ids/GenerationId.ts"
import type { AccountId } from "../values/ids/Ids.ts"
import { makeMemoryTable, removeWhere } from "./makeMemoryTable.ts"
import { MemoryJournal } from "./MemoryJournal.ts"
import { MemoryPeople } from "./MemoryPeople.ts"

/**
 * Keeps `Settings.maxKeptContents`. Beyond that, the account with the most loses its oldest, so that a busy account does not
 * evict the content of others.
 */
export const memoryContentStore: Layer.Layer<ContentStore, never, MemoryJournal> = Layer.effect(
  ContentStore,
  Effect.gen(function* () {
    const { maxKeptContents, maxKeptContentsPerAccount } = yield* Settings
    const people = yield* MemoryPeople
    const table = makeMemoryTable<GenerationId, KeptContent>(yield* MemoryJournal)

    const countByAccount = (): Map<AccountId, number> => {
      const counts = new Map<AccountId, number>()
      for (const { account } of table.rows.values()) {
        counts.set(account, (counts.get(account) ?? 0) + 1)
      }
      return counts
    }

    /** Undefined while there is room. */
    const findEvicted = (): GenerationId | undefined => {
      const counts = countByAccount()
      const [largest, most] = Array.from(counts).reduce<readonly [AccountId | undefined, number]>(
        (found, [account, count]) => (count > found[1] ? [account, count] : found),
        [undefined, 0]
      )
      if (table.rows.size <= maxKeptContents && most <= maxKeptContentsPerAccount) return undefined
      for (const [id, { account }] of table.rows) if (account === largest) return id
      return undefined
    }

    people.register(({ account, kind, name }) =>
      removeWhere(
        table,
        (content) =>
          content.account === account &&
          (kind === "user" ? content.user : content.externalUser) === name
      )
    )

    return {
      put: (contents) =>
        table.edit((draft) => {
          // Nothing else purges a store in memory.
          const now = contents.at(-1)?.keptAt ?? 0
          for (const [id, { expiresAt }] of Array.from(draft.entries())) {
            if (expiresAt > now) break
            draft.delete(id)
          }
          for (const content of contents) {
            if (draft.has(content.id)) continue
            draft.set(content.id, content)
            for (let id = findEvicted(); id !== undefined; id = findEvicted()) draft.delete(id)
          }
        }),
      list: (account, ids, now) =>
        Effect.sync(() =>
          ids.flatMap((id) => {
            const found = table.rows.get(id)
            return found?.account === account && found.expiresAt > now ? [found] : []
          })
        ),
      remove: (filter) => removeWhere(table, (content) => isSelected(content, filter)),
      purge: (now) => Effect.asVoid(removeWhere(table, ({ expiresAt }) => expiresAt <= now)),
      listToReseal: (keyId, after, limit) =>
        Effect.sync(() =>
          listRowsToReseal(
            Array.from(table.rows.values()).filter(({ sealed }) => sealed.keyId !== keyId),
            ({ id }) => id,
            after,
            limit
          )
        ),
      reseal: ({ id, sealed }, after) =>
        table.edit((draft) => {
          const found = draft.get(id)
          if (found?.sealed.ciphertext !== sealed.ciphertext) return false
          draft.set(id, { ...found, sealed: after })
          return true
        })
    }
  })
)

const isSelected = (content: KeptContent, { account, key, workspace }: ContentFilter): boolean =>
  content.account === account &&
  (workspace === undefined || content.workspace === workspace) &&
  (key === undefined || content.keyHash === key)
