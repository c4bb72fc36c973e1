/** The messages of a chat request and their parts. */

/** Marks the end of a prefix that the provider may cache for later requests. */
export interface CacheControl {
  readonly type: "ephemeral"
  readonly ttl?: "5m" | "1h"
}

/** Text in a message, such as `{ type: "text", text: "Hello" }`. */
export interface TextPart {
  readonly type: "text"
  readonly text: string
  readonly cache_control?: CacheControl
}

/** An image in a message. */
export interface ImagePart {
  readonly type: "image_url"
  /** The URL of a public host, or a `data:` URL. */
  readonly image_url: {
    readonly url: string
    readonly detail?: "auto" | "high" | "low" | "original"
  }
}

/** Audio in a message. */
export interface AudioPart {
  readonly type: "input_audio"
  /** `data` is base64; `format` is `wav`, `mp3` or another format of the model. */
  readonly input_audio: { readonly data: string; readonly format: string }
}

/** A video in a message. */
export interface VideoPart {
  readonly type: "video_url"
  readonly video_url: { readonly url: string }
}

/** A file in a message. */
export interface FilePart {
  readonly type: "file"
  readonly file: {
    readonly filename?: string
    /** A `data:` URL, or the URL of a public host. */
    readonly file_data?: string
    readonly file_id?: string
  }
}

/** A part of a message, discriminated by `type`. */
export type ContentPart = AudioPart | FilePart | ImagePart | TextPart | VideoPart

/** A function call that the model requests; the arguments are the JSON text of the model, unchecked. */
export interface ToolCall {
  readonly id: string
  readonly type: "function"
  readonly function: { readonly name: string; readonly arguments: string }
}

/** A call of a custom tool; its input is free text. */
export interface CustomToolCall {
  readonly id: string
  readonly type: "custom"
  readonly custom: { readonly name: string; readonly input: string }
}

/** Why a model declined to answer. */
export interface RefusalPart {
  readonly type: "refusal"
  readonly refusal: string
}

/** Instructions, such as `{ role: "system", content: "Be brief." }`. */
export interface SystemMessage {
  readonly role: "developer" | "system"
  readonly content: string | ReadonlyArray<TextPart>
  readonly name?: string
}

/** A message of the user, such as `{ role: "user", content: "Hello" }`. */
export interface UserMessage {
  readonly role: "user"
  readonly content: string | ReadonlyArray<ContentPart>
  readonly name?: string
}

/** An answer of a model, which may be sent back unchanged in the next request. */
export interface AssistantMessage {
  readonly role: "assistant"
  readonly content?: string | ReadonlyArray<ContentPart> | null
  readonly name?: string
  readonly tool_calls?: ReadonlyArray<ToolCall>
  readonly refusal?: string | null
  readonly reasoning?: string | null
  /** In the form of the provider; some providers require them in the next request. */
  readonly reasoning_details?: ReadonlyArray<unknown>
  readonly images?: ReadonlyArray<ImagePart>
  readonly audio?: unknown
  readonly annotations?: ReadonlyArray<unknown>
}

/** An earlier answer. OpenAI's client allows more forms of it than models answer with. */
export interface PastAssistantMessage extends Omit<AssistantMessage, "content" | "tool_calls"> {
  readonly content?: string | ReadonlyArray<ContentPart | RefusalPart> | null
  readonly tool_calls?: ReadonlyArray<CustomToolCall | ToolCall>
}

/** The result of a function, in the form that predates tools. */
export interface FunctionMessage {
  readonly role: "function"
  readonly name: string
  readonly content: string | null
}

/** The result of a tool. */
export interface ToolMessage {
  readonly role: "tool"
  readonly tool_call_id: string
  readonly content: string | ReadonlyArray<ContentPart>
  readonly name?: string
}

/** A message of a chat request, discriminated by `role`. */
export type ChatRequestMessage =
  | FunctionMessage
  | PastAssistantMessage
  | SystemMessage
  | ToolMessage
  | UserMessage
