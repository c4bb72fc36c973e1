/** FeedbackStore in the memory of this process. */
import * as Effect from "effect/Effect"
import * as Iterable from "effect/Iterable"
import * as Layer from "effect/Layer"
import type { Feedback } from "../domains/feedback/Feedback.ts"
import { FeedbackStore } from "../domains/feedback/FeedbackStore.ts"
import { renameFeedback } from "../domains/people/renameRecords.ts"
import { Settings } from "../instance/Settings.ts"
import { toCursorPage } from "../values/pages/CursorPage.ts"
import { makeMemoryTable, removeWhere } from "./makeMemoryTable.ts"
import { MemoryJournal } from "./MemoryJournal.ts"
import { MemoryPeople, renameValues } from "./MemoryPeople.ts"

/** Keeps `Settings.maxFeedback`; beyond that, the oldest goes first. */
export const memoryFeedbackStore: Layer.Layer<FeedbackStore, never, MemoryJournal> = Layer.effect(
  FeedbackStore,
  Effect.gen(function* () {
    const { maxFeedback } = yield* Settings
    const people = yield* MemoryPeople
    const table = makeMemoryTable<string, Feedback>(yield* MemoryJournal)

    people.register((renaming) =>
      table.edit((draft) =>
        renameValues(draft, (feedback) =>
          feedback.generation.account === renaming.account
            ? renameFeedback(feedback, renaming)
            : feedback
        )
      )
    )

    const select = (isSelected: (feedback: Feedback) => boolean) =>
      Effect.sync(() => Array.from(table.rows.values()).filter(isSelected))

    return {
      give: (feedback) =>
        table.edit((draft) => {
          const key = toFeedbackKey(feedback)
          const before = draft.get(key)
          draft.set(key, feedback)
          if (table.rows.size > maxFeedback) {
            for (const [oldest] of table.rows) {
              draft.delete(oldest)
              break
            }
          }
          return before
        }),
      list: ({ account, category, generation }, page) =>
        Effect.sync(() =>
          toCursorPage(
            Iterable.filter(
              table.newestFirst(page.after),
              ({ row }) =>
                row.generation.account === account &&
                (generation === undefined || row.generation.id === generation) &&
                (category === undefined || row.category === category)
            ),
            page
          )
        ),
      listByTime: (account, from, to) =>
        select(
          ({ generation }) =>
            generation.account === account &&
            generation.startedAt >= from &&
            generation.startedAt < to
        ),
      listByExperiment: (experiment, from) =>
        select(
          ({ generation }) =>
            generation.experiment?.id === experiment && generation.startedAt >= from
        ),
      remove: (account, workspace) =>
        removeWhere(
          table,
          ({ generation }) => generation.account === account && generation.workspace === workspace
        ),
      purge: (givenBefore) =>
        Effect.asVoid(removeWhere(table, ({ givenAt }) => givenAt < givenBefore))
    }
  })
)

const toFeedbackKey = ({ category, generation }: Feedback): string => `${generation.id} ${category}`
