/** A chat request in no provider's words: what every dialect is translated to and from. */
import type { CacheMark, Part } from "./Part.ts"
import type { Dialect, Extra } from "./Dialect.ts"

/** One turn; the order of its parts is the order in which they were said. */
export interface Turn {
  /** `tool`: the results of calls, one or several. */
  readonly role: "assistant" | "system" | "tool" | "user"
  readonly parts: ReadonlyArray<Part>
  /** The name of the participant. */
  readonly name?: string
  readonly extra?: Extra
}

/** A function of the caller that the model may call. */
export interface FunctionTool {
  readonly type: "function"
  readonly name: string
  readonly description?: string
  /** The JSON schema of the arguments; absent: it takes none. */
  readonly parameters?: Readonly<Record<string, unknown>>
  /** Whether arguments follow the schema exactly; absent: the dialect's default. */
  readonly strict?: boolean
  /** A group of functions; two namespaces may have functions of the same name. */
  readonly namespace?: { readonly name: string; readonly description?: string }
  readonly cache?: CacheMark
  readonly extra?: Extra
}

/** A tool of the caller whose input is free text. */
export interface CustomTool {
  readonly type: "custom"
  readonly name: string
  readonly description?: string
  /** Free text, or a grammar of the input, in the form of OpenAI's dialects. */
  readonly format?: unknown
  readonly extra?: Extra
}

/** A tool that the provider runs, in the form of its dialect. */
interface ServerTool {
  readonly type: "server"
  readonly dialect: Dialect
  readonly raw: Readonly<Record<string, unknown>>
}

export type Tool = CustomTool | FunctionTool | ServerTool

/** Which tools the model calls. */
export type ToolChoice =
  | { readonly type: "auto" | "none" | "required" }
  /** This one. */
  | {
      readonly type: "tool"
      readonly name: string
      readonly isCustom?: true
      readonly namespace?: string
    }
  /** Some of these; `mode` says whether it must call one. */
  | {
      readonly type: "allowed"
      readonly mode: "auto" | "required"
      readonly names: ReadonlyArray<string>
    }
  /** In the form of the dialect, such as a tool of the provider. */
  | { readonly type: "opaque"; readonly dialect: Dialect; readonly raw: unknown }

/** How the next token is drawn; absent: as the provider does. */
export interface Sampling {
  readonly temperature?: number
  readonly topP?: number
  readonly topK?: number
  readonly minP?: number
  readonly topA?: number
  readonly frequencyPenalty?: number
  readonly presencePenalty?: number
  readonly repetitionPenalty?: number
  readonly seed?: number
  /** From token ids to biases of -100..100. */
  readonly logitBias?: Readonly<Record<string, number>>
}

/** The form of the answer. */
export type AnswerFormat =
  | { readonly type: "text" }
  /** Any JSON object. */
  | { readonly type: "json" }
  | {
      readonly type: "schema"
      /** Absent: the dialect names none. */
      readonly name?: string
      readonly description?: string
      readonly schema: Readonly<Record<string, unknown>>
      readonly strict?: boolean
    }
  /** In the form of the dialect, such as a grammar. */
  | { readonly type: "opaque"; readonly dialect: Dialect; readonly raw: unknown }

/** How much the model thinks, and what of it is shown. */
export interface ReasoningSettings {
  /** `none`, `minimal`, `low`, `medium`, `high`, `xhigh`, `max`, or another value of the provider. */
  readonly effort?: string
  /** The maximum number of reasoning tokens. */
  readonly maxTokens?: number
  /** False: no reasoning; true: as much as the model decides. */
  readonly isEnabled?: boolean
  /** Whether the reasoning is left out of the answer. */
  readonly isExcluded?: boolean
  /** `auto`, `concise` or `detailed`. */
  readonly summary?: string
}

/** Token probabilities in the answer. */
export interface Logprobs {
  /** How many alternatives each token has, 0 to 20. */
  readonly top: number
}

/** A request: its turns, its tools, and the form of the answer. */
export interface Conversation {
  readonly turns: ReadonlyArray<Turn>
  readonly tools: ReadonlyArray<Tool>
  readonly toolChoice?: ToolChoice
  /** Whether the model may ask for several calls at once. */
  readonly parallelCalls?: boolean
  /** The maximum length of the answer in tokens, reasoning included. */
  readonly maxOutputTokens?: number
  readonly sampling: Sampling
  /** Texts that end the answer. */
  readonly stop: ReadonlyArray<string>
  readonly format?: AnswerFormat
  readonly reasoning?: ReasoningSettings
  /** The number of answers; absent: one. */
  readonly answers?: number
  readonly logprobs?: Logprobs
  /** `low`, `medium` or `high`. */
  readonly verbosity?: string
  readonly serviceTier?: string
  /** For dialects with a mark for the whole request. */
  readonly cache?: CacheMark
  readonly extra?: Extra
}
