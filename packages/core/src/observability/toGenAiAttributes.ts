/** The attributes of spans that run models, by https://opentelemetry.io/docs/specs/semconv/gen-ai/. */
import type { TokenUsage } from "../values/usage/TokenUsage.ts"
import { truncateText } from "./truncateGeneration.ts"

export interface ModelRun {
  readonly operation: string
  readonly provider: string | undefined
  readonly model: string | undefined
  /** As the upstream names the model that answered. */
  readonly responseModel: string | undefined
  readonly usage: TokenUsage | undefined
}

/** What is not known has no attribute. */
export const toGenAiAttributes = ({
  responseModel,
  model,
  operation,
  provider,
  usage
}: ModelRun): Record<string, unknown> => ({
  "gen_ai.operation.name": operation,
  ...(provider === undefined ? undefined : { "gen_ai.provider.name": provider }),
  ...(model === undefined ? undefined : { "gen_ai.request.model": model }),
  ...(responseModel === undefined
    ? undefined
    : { "gen_ai.response.model": truncateText(responseModel) }),
  ...(usage === undefined
    ? undefined
    : {
        "gen_ai.usage.input_tokens": usage.inputTokens,
        "gen_ai.usage.output_tokens": usage.outputTokens
      })
})
