/** The items of a request's input in the Responses API. */
import type {
  ResponsesCustomToolCall,
  ResponsesFunctionCall,
  ResponsesOutputMessage,
  ResponsesReasoningItem
} from "./ResponsesOutputItem.ts"

/** A part of a message or of the output of a call. Files of a provider (`file_id`) can only be read there. */
export type ResponsesInputPart =
  | { readonly type: "input_text"; readonly text: string }
  | {
      readonly type: "input_image"
      /** The URL of a public host, or a `data:` URL. */
      readonly image_url?: string | null
      readonly file_id?: string | null
      readonly detail?: "auto" | "high" | "low" | "original" | null
    }
  | {
      readonly type: "input_file"
      readonly filename?: string
      /** A `data:` URL, or base64. */
      readonly file_data?: string
      readonly file_url?: string
      readonly file_id?: string | null
    }
  | {
      readonly type: "input_audio"
      readonly input_audio: { readonly data: string; readonly format: string }
    }
  | { readonly type: "input_video"; readonly video_url: string }

/** A message; `system` and `developer` may stand anywhere. */
export interface ResponsesInputMessage {
  readonly type?: "message"
  readonly role: "assistant" | "developer" | "system" | "user"
  readonly content: string | ReadonlyArray<ResponsesInputPart>
  readonly id?: string
  readonly status?: string
  /** For messages of the assistant: whether the message is a comment before the answer. */
  readonly phase?: "commentary" | "final_answer" | null
}

/** The result of a call. */
export interface ResponsesCallOutput {
  readonly type: "custom_tool_call_output" | "function_call_output"
  readonly call_id: string
  readonly output: string | ReadonlyArray<ResponsesInputPart>
  readonly id?: string
  readonly status?: string
}

/**
 * An item of the input. The items of an answer are valid as they are; items of other types need a provider with this
 * API.
 */
export type ResponsesInputItem =
  | ResponsesCallOutput
  | ResponsesInputMessage
  | InputForm<ResponsesCustomToolCall>
  | InputForm<ResponsesFunctionCall>
  | InputForm<ResponsesOutputMessage>
  | InputForm<ResponsesReasoningItem>
  | { readonly type: string & {}; readonly [field: string]: unknown }

/** Ids and states of items are optional, and are not looked up. */
type InputForm<Item extends { readonly id: string; readonly status?: string }> = Omit<
  Item,
  "id" | "status"
> &
  Partial<Pick<Item, "id" | "status">>
