/** Takes feedback on generations: audited, counted in series and experiments, and a label where it says what was right. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Audit } from "../../engine/observability/audit/Audit.ts"
import { Generations } from "../../engine/observability/generations/Generations.ts"
import { redactText } from "../../engine/secrets/redactText.ts"
import type { Caller } from "../../tenants/auth/Caller.ts"
import { toResourceOwner } from "../../tenants/auth/permissions.ts"
import { Workspaces } from "../../tenants/workspaces/Workspaces.ts"
import type { ResourceNotFound } from "../../values/errors/RequestErrors.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import { Calibrations } from "../calibration/Calibrations.ts"
import { type Feedback, type FeedbackCategory, toFeedbackGeneration } from "./Feedback.ts"
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
  static readonly layer = Layer.effect(
    Feedbacks,
    Effect.gen(function* () {
      const audit = yield* Audit
      const calibrations = yield* Calibrations
      const generations = yield* Generations
      const store = yield* FeedbackStore
      const workspaces = yield* Workspaces

      yield* workspaces.onWorkspaceDelete(({ account }, workspace) =>
        Effect.as(store.remove(account, workspace), Effect.void)
      )

      return {
        give: Effect.fnUntraced(function* (caller, { category, comment, generation: id }) {
          const generation = yield* generations.find(toResourceOwner(caller), id)
          const feedback: Feedback = {
            category,
            ...(comment === undefined ? undefined : { comment: redactText(comment) }),
            givenBy: omitUndefined({ user: caller.user, key: caller.keyHash }),
            givenAt: yield* Clock.currentTimeMillis,
            generation: toFeedbackGeneration(generation)
          }
          yield* audit.change(
            { ...caller, account: generation.account },
            "generation.feedback",
            Effect.map(store.give(feedback), (before) => ({
              result: undefined,
              target: isSame(before, feedback) ? undefined : generation.id,
              ...(before === undefined ? undefined : { before: toState(before) }),
              after: toState(feedback)
            }))
          )
          if (category !== "incorrect_response") return
          yield* Effect.catchCause(calibrations.labelWrong(caller, generation), (cause) =>
            Effect.logError(`the feedback on ${generation.id} labels no answer`, cause)
          )
        })
      }
    })
  )
}

const isSame = (before: Feedback | undefined, after: Feedback): boolean =>
  before !== undefined && before.comment === after.comment

/** The audit log is kept forever, and comments are not. */
const toState = ({ category, comment }: Feedback) => ({
  category,
  has_comment: comment !== undefined
})
