/** Takes feedback: audited, counted, and a label where it says what was right. Loaded with the first feedback. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Audit } from "../../engine/observability/audit/Audit.ts"
import { Generations } from "../../engine/observability/generations/Generations.ts"
import { redactSecrets } from "../../engine/filters/redactSecrets.ts"
import { redactionMark } from "../../engine/secrets/Redactor.ts"
import { toResourceOwner } from "../../tenants/auth/permissions.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import { Calibrations } from "../calibration/Calibrations.ts"
import { type Feedback, toFeedbackGeneration } from "./Feedback.ts"
import { FeedbackStore } from "./FeedbackStore.ts"
import { Feedbacks } from "./Feedbacks.ts"

export const layerFeedbacks = Layer.effect(
  Feedbacks,
  Effect.gen(function* () {
    const audit = yield* Audit
    const calibrations = yield* Calibrations
    const generations = yield* Generations
    const store = yield* FeedbackStore

    return {
      give: Effect.fnUntraced(function* (caller, { category, comment, generation: id }) {
        const generation = yield* generations.find(toResourceOwner(caller), id)
        const feedback: Feedback = {
          category,
          ...(comment === undefined
            ? undefined
            : { comment: redactSecrets(comment, redactionMark) }),
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

const isSame = (before: Feedback | undefined, after: Feedback): boolean =>
  before !== undefined && before.comment === after.comment

/** The audit log is kept forever, and comments are not. */
const toState = ({ category, comment }: Feedback) => ({
  category,
  has_comment: comment !== undefined
})
