/** The tools of a request of the Responses API, and which of them the model calls. */

/** A function of the caller. */
export interface ResponsesFunction {
  readonly type: "function"
  readonly name: string
  readonly description?: string | null
  /** A JSON schema. */
  readonly parameters?: Readonly<Record<string, unknown>> | null
  /** Whether arguments follow the schema exactly; absent: if the schema allows. */
  readonly strict?: boolean | null
}

/** A group of functions; their calls name it. */
export interface ResponsesNamespace {
  readonly type: "namespace"
  readonly name: string
  readonly description?: string
  readonly tools: ReadonlyArray<ResponsesFunction>
}

/** A tool of the caller whose input is free text. */
export interface ResponsesCustomTool {
  readonly type: "custom"
  readonly name: string
  readonly description?: string
  /** Free text, or a grammar, which only providers with this API follow. */
  readonly format?: object
}

/** A tool that a provider with this API runs itself, such as `web_search`; other providers are not sent it. */
export interface ResponsesHostedTool {
  readonly type: string & {}
  readonly [field: string]: unknown
}

/** A tool that the model may call. */
export type ResponsesTool =
  | ResponsesCustomTool
  | ResponsesFunction
  | ResponsesHostedTool
  | ResponsesNamespace

/** A choice of a provider's tool, such as `{ type: "web_search" }`, can be served only by providers with this API. */
export type ResponsesToolChoice =
  | "auto"
  | "none"
  | "required"
  | { readonly type: "custom" | "function"; readonly name: string }
  | {
      readonly type: "allowed_tools"
      readonly mode: "auto" | "required"
      readonly tools: ReadonlyArray<Readonly<Record<string, unknown>>>
    }
  | { readonly type: string & {} }
