/** The parameters and forms that a model takes at a server with OpenAI's chat API, where such servers differ. */
import type { IdRules } from "../toDialectId.ts"
import type { ReasoningParameter } from "./reasoningParameters.ts"

/** An absent fact is unknown: what it is about is sent as the caller wrote it. */
export interface ChatServerModel {
  /** The parameters for how much it reasons, for endpoints without a list of parameters. */
  readonly reasoningParameters?: ReadonlyArray<ReasoningParameter> | undefined
  /** The efforts that it takes; empty: it refuses requests that set an effort. */
  readonly efforts?: ReadonlyArray<string> | undefined
  /** False: it refuses requests that ask for reasoning. */
  readonly isReasoning?: boolean | undefined
  /**
   * The field of assistant messages in which it wants the reasoning of earlier answers back, instead of `reasoning` and
   * `reasoning_details`.
   */
  readonly reasoningField?: "reasoning_content" | undefined
  /**
   * True: it may be a LiteLLM in front of Claude, which wants the thinking that Claude has signed back in `thinking_blocks`. It
   * gets it there, too.
   */
  readonly takesThinkingBlocks?: boolean | undefined
  /** Whether the result of a tool may hold media. Unknown: where the caller wrote them there by the chat API. */
  readonly takesToolMedia?: boolean | undefined
  /** True: instructions may come from the role `developer`. Else they come from `system`, which every server knows. */
  readonly takesDeveloper?: boolean | undefined
  /** True: the choice among tools may be `allowed_tools`. Else only those are offered. */
  readonly takesAllowedTools?: boolean | undefined
  /** False: the choice among tools may not name one. Then that one is offered, and a call is required. */
  readonly takesNamedTool?: boolean | undefined
  /** False: an answer may follow a schema, but not be any JSON. */
  readonly takesAnyJson?: boolean | undefined
  /** False: it draws as it does by default, and refuses `temperature` and other parameters of that. */
  readonly takesSampling?: boolean | undefined
  /** False: a chat that is not stored there must have no `metadata`. */
  readonly takesLooseMetadata?: boolean | undefined
  /** The most texts that stop it. */
  readonly maxStop?: number | undefined
  /** Says the schema of a function as the server takes it; the same object where it does. */
  readonly fitSchema?:
    | ((parameters: Readonly<Record<string, unknown>>) => typeof parameters)
    | undefined
  /** The rules for ids of calls. */
  readonly callIds?: IdRules | undefined
  /** False: a message of the user must not follow the result of a tool. */
  readonly takesUserAfterTool?: boolean | undefined
  /** False: while it thinks, as it does by default, a call must not be forced. */
  readonly forcesWhileThinking?: boolean | undefined
  /** False: an answer may be any JSON, but follow no schema. */
  readonly takesSchemas?: boolean | undefined
  /** True: a function without arguments needs a schema, too. */
  readonly needsParameters?: boolean | undefined
}
