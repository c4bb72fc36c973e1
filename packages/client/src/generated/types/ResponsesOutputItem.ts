/** The items of a response's output. */

/** The items of a response's output. */

type ItemStatus = "completed" | "in_progress" | "incomplete"

/** A citation of a text. */
export interface ResponsesAnnotation {
  readonly type: string
  readonly [field: string]: unknown
}

/** A text of a message, with its citations. */
export interface ResponsesOutputText {
  readonly type: "output_text"
  readonly text: string
  readonly annotations: ReadonlyArray<ResponsesAnnotation>
  readonly logprobs?: ReadonlyArray<unknown>
}

/** Why the model declined. */
export interface ResponsesRefusal {
  readonly type: "refusal"
  readonly refusal: string
}

/** A message of the model. */
export interface ResponsesOutputMessage {
  readonly type: "message"
  readonly id: string
  readonly role: "assistant"
  readonly status: ItemStatus
  readonly content: ReadonlyArray<ResponsesOutputText | ResponsesRefusal>
  readonly phase?: "commentary" | "final_answer" | null
}

/** A call of a function; the arguments are the JSON text of the model, unchecked. */
export interface ResponsesFunctionCall {
  readonly type: "function_call"
  readonly id: string
  /** The id of the call, which its output repeats. */
  readonly call_id: string
  readonly name: string
  readonly arguments: string
  readonly status?: ItemStatus
  readonly namespace?: string
}

/** A call of a tool of free text. */
export interface ResponsesCustomToolCall {
  readonly type: "custom_tool_call"
  readonly id: string
  readonly call_id: string
  readonly name: string
  readonly input: string
  readonly status?: ItemStatus
  readonly namespace?: string
}

/** A thought of the model. Sent back unchanged, with `encrypted_content`, it lets the model continue from there. */
export interface ResponsesReasoningItem {
  readonly type: "reasoning"
  readonly id: string
  readonly summary: ReadonlyArray<{ readonly type: "summary_text"; readonly text: string }>
  readonly content?: ReadonlyArray<{
    readonly type: "reasoning_text"
    readonly text: string
  }> | null
  readonly encrypted_content?: string | null
  readonly status?: ItemStatus
}

/** Calls that the provider ran itself, such as `web_search_call`. */
export interface ResponsesHostedItem {
  readonly type: string & {}
  readonly [field: string]: unknown
}

/** An item of the output, in the order in which the model said, thought and called it. */
export type ResponsesOutputItem =
  | ResponsesCustomToolCall
  | ResponsesFunctionCall
  | ResponsesHostedItem
  | ResponsesOutputMessage
  | ResponsesReasoningItem
