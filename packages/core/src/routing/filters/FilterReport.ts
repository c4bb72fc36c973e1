/** What the content filters of a request found and did, without any of its text. */
import * as Data from "effect/Data"
import type { GenerationFilter } from "../../engine/observability/generations/Generation.ts"
import type { AnswerFilter } from "./AnswerFilter.ts"

/** One guardrail that found something, as `openrouter_metadata.pipeline` says it. */
export interface PipelineStage {
  readonly type: "guardrail"
  readonly name: "content-filter" | "regex_pi_detection"
  readonly guardrail_id: string
  /** Whom the guardrail is of. */
  readonly guardrail_scope: "api_key" | "bundle" | "member" | "workspace"
  /** One sentence. */
  readonly summary: string
  readonly data: Readonly<Record<string, unknown>>
}

/** What is known of a request that was screened. */
export interface FilterReport {
  readonly stages: ReadonlyArray<PipelineStage>
  /** For the record of the request. */
  readonly found: ReadonlyArray<GenerationFilter>
  /** The request must not be sent; absent: it may. */
  readonly blocked?: ContentBlocked
  /** What is done with its answer; absent: nothing. */
  readonly answers?: AnswerFilter
}

/** A guardrail does not let the content of the request through, or not that of its answer. */
export class ContentBlocked extends Data.TaggedError("ContentBlocked")<{
  /** Such as `[EMAIL]`. */
  readonly label: string
  /** The rules that matched, of prompt injection; absent: it was something else. */
  readonly patterns?: ReadonlyArray<string>
  /** Whether the answer was at fault; absent: the request. */
  readonly isAnswer?: true
}> {}
