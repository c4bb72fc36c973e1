/** Stores feedback on generations. A port. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { AccountId, WorkspaceId } from "../../values/ids/Ids.ts"
import type { CursorPage, CursorRequest } from "../../values/pages/CursorPage.ts"
import type { Feedback, FeedbackCategory } from "./Feedback.ts"

/** Selects feedback of an account; absent fields select all. */
export interface FeedbackFilter {
  readonly account: AccountId
  /** The id of a generation. */
  readonly generation?: string
  readonly category?: FeedbackCategory
}

/** Stores feedback, at most one of a category for each generation. */
export class FeedbackStore extends Context.Service<
  FeedbackStore,
  {
    /**
     * Stores it in place of the one of its generation and category, and returns that. Joins the surrounding transaction. Race: of
     * several at once, one remains.
     */
    readonly give: (feedback: Feedback) => Effect.Effect<Feedback | undefined>
    /** Newest first; a replaced one keeps its place. */
    readonly list: (
      filter: FeedbackFilter,
      page: CursorRequest
    ) => Effect.Effect<CursorPage<Feedback>>
    /** All on requests of the account that began in this time, in milliseconds since the epoch; `to` is exclusive. */
    readonly listByTime: (
      account: AccountId,
      from: number,
      to: number
    ) => Effect.Effect<ReadonlyArray<Feedback>>
    /** All on requests of all accounts that took part in an experiment and began at `from` or later. */
    readonly listByExperiment: (
      experiment: string,
      from: number
    ) => Effect.Effect<ReadonlyArray<Feedback>>
    /** Deletes what was given on requests of a workspace; the number. Joins the surrounding transaction. */
    readonly remove: (account: AccountId, workspace: WorkspaceId) => Effect.Effect<number>
    /** Deletes what was last given before. A store runs it in the background. */
    readonly purge: (givenBefore: number) => Effect.Effect<void>
  }
>()("@signalbox/core/domains/feedback/FeedbackStore") {}
