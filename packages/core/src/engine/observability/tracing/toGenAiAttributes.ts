/** Span attributes by https://opentelemetry.io/docs/specs/semconv/gen-ai/. */
import * as Effect from "effect/Effect"
import { omitUndefined } from "../../../values/ownFields.ts"
import type { TokenUsage } from "../../../values/usage/TokenUsage.ts"
import type { Generation } from "../generations/Generation.ts"
import { truncateText } from "../generations/truncateGeneration.ts"

interface ModelRun {
  readonly operation: string
  readonly provider: string | undefined
  readonly model: string | undefined
  /**
   * The provider's name of the model that answered, such as `gpt-4-0613`:
   * https://opentelemetry.io/docs/specs/semconv/registry/attributes/gen-ai/#gen-ai-response-model
   */
  readonly responseModel: string | undefined
  readonly usage: TokenUsage | undefined
}

/** Unknown values have no attribute. */
export const toGenAiAttributes = ({
  responseModel,
  model,
  operation,
  provider,
  usage
}: ModelRun): Record<string, unknown> => ({
  "gen_ai.operation.name": operation,
  ...omitUndefined({
    "gen_ai.provider.name": provider,
    "gen_ai.request.model": model,
    "gen_ai.response.model": responseModel === undefined ? undefined : truncateText(responseModel),
    "gen_ai.usage.input_tokens": usage?.inputTokens,
    "gen_ai.usage.output_tokens": usage?.outputTokens
  })
})

/**
 * Who asked, as the host knows it: https://opentelemetry.io/docs/specs/semconv/registry/attributes/enduser/. The `user` of
 * the request, the caller's own word, is in no span.
 */
const toCallerAttributes = ({ tags = {}, user }: Generation) => ({
  ...omitUndefined({ "enduser.id": user }),
  ...Object.fromEntries(Object.entries(tags).map(([key, value]) => [`signalbox.tag.${key}`, value]))
})

/**
 * Adds the outcome of a request to its span; call it inside `withTrace`. `model` is the requested model in the
 * catalog: an unknown name is a text of the caller and is omitted. `provider` is the slug of the last one tried. Without
 * a reported name, the model that answered has the catalog's id, so that a span tells which of the fallbacks it was.
 */
export const annotateRequest = (
  generation: Generation,
  { model, provider }: Pick<ModelRun, "model" | "provider">
): Effect.Effect<void> => {
  const { id, model: served, operation, upstreamModel: responseModel = served, usage } = generation
  return Effect.annotateCurrentSpan({
    ...toGenAiAttributes({ operation, provider, model, responseModel, usage }),
    ...toCallerAttributes(generation),
    "gen_ai.response.id": id
  })
}
