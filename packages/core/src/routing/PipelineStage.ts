/** What the router did to a request or its answer, as `openrouter_metadata.pipeline` says it, without any of its text. */
export type PipelineStage = GuardrailStage | PluginStage

/** One guardrail that found something. */
export interface GuardrailStage extends StageFields {
  readonly type: "guardrail"
  readonly name: "content-filter" | "regex_pi_detection"
  readonly guardrail_id: string
  /** Whom the guardrail is of. */
  readonly guardrail_scope: "api_key" | "bundle" | "member" | "workspace"
}

/** Messages were left out of a prompt that is too long, or the JSON of an answer was repaired. */
type PluginStage =
  | (StageFields & {
      readonly type: "context_compression"
      readonly name: "context-compression"
    })
  | (StageFields & { readonly type: "response_healing"; readonly name: "response-healing" })

interface StageFields {
  /** One sentence. */
  readonly summary: string
  readonly data: Readonly<Record<string, unknown>>
}
