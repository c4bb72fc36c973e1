/** A row of the table of quirks: what a provider is known to send or to refuse, the source, and what Signalbox does. */
import type { ServerSentEvent } from "../ServerSentEvent.ts"
import type { Condition } from "./Condition.ts"
import type { QuirkProvider } from "./quirkProviders.ts"

export type Json = Readonly<Record<string, unknown>>

/** The API of a provider. */
export type QuirkDialect = "chat" | "messages" | "responses" | "gemini"

/** The API of a caller. */
export type CallerApi = "chat" | "messages" | "responses"

interface QuirkFacts {
  /** `<provider>.<what>`, the same for ever. */
  readonly id: string
  /** Who is known for it. */
  readonly providers: readonly [QuirkProvider, ...ReadonlyArray<QuirkProvider>]
  readonly dialect: QuirkDialect
  /** One sentence in Markdown, with the field's own words. */
  readonly what: string
  /** The address of the public document or report. */
  readonly source: string
  /** What Signalbox does about it: one sentence in Markdown. */
  readonly handling: string
  /** The model that shows it. Default: the model of the first provider. */
  readonly model?: string
}

/** A call of a tool, as a caller gets it. */
export interface ExpectedCall {
  /** Default: any id of its own. */
  readonly id?: string
  readonly name: string
  readonly arguments: Json
}

/** What a caller of any API gets, whole and streamed. */
export interface ExpectedAnswer {
  /** Default: none. */
  readonly text?: string
  /** Default: none. */
  readonly thinking?: string
  /** Default: none. */
  readonly calls?: ReadonlyArray<ExpectedCall>
  /** Default: `tool_calls` with calls, else `stop`; not compared with an error. */
  readonly finish?: "stop" | "tool_calls" | "length" | "content_filter"
  /** In tokens, as OpenAI counts: the completion includes the reasoning. Default: not compared. */
  readonly usage?: { readonly prompt: number; readonly completion: number }
  /** The status of the error that the caller gets; in a stream, the status in the error event. */
  readonly error?: number
}

/** What a provider sends. */
export interface SendsQuirk extends QuirkFacts {
  readonly kind: "sends"
  /** The body of the whole answer; absent where only streams are special. */
  readonly whole?: Json
  /** The events of the stream; absent where only whole answers are special. */
  readonly events?: ReadonlyArray<ServerSentEvent>
  readonly expected: ExpectedAnswer
  /** The callers that get this. Default: all; callers of the provider's own API may get the answer unchanged. */
  readonly apis?: ReadonlyArray<CallerApi>
  /** What differs by the caller's API, or in streams. */
  readonly by?: Readonly<Partial<Record<CallerApi | "streamed", ExpectedAnswer>>>
}

/** What a caller asks, by any API. */
export interface QuirkRequest {
  /** The row whose answer the caller got before; its calls are answered, and the conversation goes on. */
  readonly after?: string
  /** The conversation in the words of the chat API. Default: a question. */
  readonly messages?: ReadonlyArray<Json>
  /** The offered tools, by name; a name alone has no parameters. */
  readonly tools?: Readonly<Record<string, Json>>
  /** Whether the model must call a tool. */
  readonly forcesTool?: boolean
  readonly effort?: "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max"
  /** The most output tokens. */
  readonly cap?: number
  /** Further fields, by the caller's API. */
  readonly body?: Readonly<Partial<Record<CallerApi, Json>>>
  /** The APIs by which this can be asked. Default: all. */
  readonly apis?: ReadonlyArray<CallerApi>
}

/** What a provider refuses. */
export interface RefusesQuirk extends QuirkFacts {
  readonly kind: "refuses"
  /** The models that refuse it. Default: all. */
  readonly models?: RegExp
  readonly when: Condition
  /** What of a request is enough to be refused. */
  readonly example: Json
  readonly status: number
  /** The body of the refusal. */
  readonly error: unknown
  /** A request of a caller that would lead to it. */
  readonly asked: QuirkRequest
  /**
   * The outcome of the request. Default `served`. `refused`: Signalbox answers 400, and the provider gets nothing.
   * `passedOn`: no other form has the same meaning, so the provider refuses the request, and the caller gets the error.
   */
  readonly outcome?: "passedOn" | "refused" | "served"
}

export type Quirk = RefusesQuirk | SendsQuirk
