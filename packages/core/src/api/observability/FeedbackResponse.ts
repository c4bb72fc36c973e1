/** Feedback on generations as clients give and read it. */
import * as Schema from "effect/Schema"
import { type Feedback, FeedbackCategory } from "../../domains/feedback/Feedback.ts"
import { isMaxCharacters } from "../../values/validation/text.ts"

/** The body of a feedback, as OpenRouter's clients send it. */
export const FeedbackRequest = Schema.Struct({
  /** Id of the generation, or the `x-request-id` of its response. */
  generation_id: Schema.NonEmptyString.check(isMaxCharacters(256)),
  category: FeedbackCategory,
  comment: Schema.optionalKey(Schema.String.check(isMaxCharacters(1_000)))
})

const Text = Schema.NullOr(Schema.String)

/** A feedback with what it is about. */
export const FeedbackResponse = Schema.Struct({
  generation_id: Schema.String,
  category: FeedbackCategory,
  /** Without secrets. */
  comment: Text,
  /** ISO 8601. */
  created_at: Schema.String,
  /** Who gave it; both null for the application itself. */
  given_by: Schema.Struct({ key_hash: Text, user_id: Text }),
  workspace_id: Schema.String,
  operation: Schema.String,
  /** The model that answered; the requested one if none did. */
  model: Schema.String,
  /** The provider and the endpoint that answered, or were tried last; null: none was. */
  provider: Text,
  endpoint: Text
})

export const toFeedbackResponse = ({
  category,
  comment,
  generation,
  givenAt,
  givenBy
}: Feedback): typeof FeedbackResponse.Type => {
  const { attempts, id, model, operation, requestedModel, workspace } = generation
  const [attempt] = attempts
  return {
    generation_id: id,
    category,
    comment: comment ?? null,
    created_at: new Date(givenAt).toISOString(),
    given_by: { key_hash: givenBy.key ?? null, user_id: givenBy.user ?? null },
    workspace_id: workspace,
    operation,
    model: model ?? requestedModel,
    provider: attempt?.provider ?? null,
    endpoint: attempt?.endpoint ?? null
  }
}
