/** Takes feedback on generations: audited, counted in series and experiments, and a label where it says what was right. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Caller } from "../../tenants/auth/Caller.ts"
import { Workspaces } from "../../tenants/workspaces/Workspaces.ts"
import type { ResourceNotFound } from "../../values/errors/RequestErrors.ts"
import { importNamed, layerOnDemand } from "../../values/layerOnDemand.ts"
import type { FeedbackCategory } from "./Feedback.ts"
import { FeedbackStore } from "./FeedbackStore.ts"

/** What a caller says about a generation. */
export interface NewFeedback {
  /** The id of the generation, or the `x-request-id` of its response. */
  readonly generation: string
  readonly category: FeedbackCategory
  readonly comment?: string | undefined
}

/** Feedback on generations. It goes with its workspace. */
export class Feedbacks extends Context.Service<
  Feedbacks,
  {
    /**
     * Giving the same again changes nothing, and another comment of the same category replaces. An `incorrect_response` to the
     * only question of a calibrated Decision labels it, where that leaves one other option.
     */
    readonly give: (caller: Caller, feedback: NewFeedback) => Effect.Effect<void, ResourceNotFound>
  }
>()("@signalbox/core/domains/feedback/Feedbacks") {
  static readonly layer = Layer.merge(
    layerOnDemand(
      Feedbacks,
      { give: "call" },
      importNamed(() => import("./layerFeedbacks.ts"), "layerFeedbacks")
    ),
    Layer.effectDiscard(
      Effect.gen(function* () {
        const store = yield* FeedbackStore
        const workspaces = yield* Workspaces
        yield* workspaces.onWorkspaceDelete(({ account }, workspace) =>
          Effect.as(store.remove(account, workspace), Effect.void)
        )
      })
    )
  )
}
