/** The messages of a chat, and what they are made of. */

/** Marks the end of what a provider may keep for the next request. */
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

/** A picture in a message, as an address or a data URL. */
export interface ImagePart {
  readonly type: "image_url"
  /** Of a public host, or a `data:` address. */
  readonly image_url: {
    readonly url: string
    readonly detail?: "auto" | "high" | "low" | "original"
  }
}

/** Sound in a message. */
export interface AudioPart {
  readonly type: "input_audio"
  /** In base64, with its format, such as `wav` or `mp3`. */
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
    /** A `data:` address, or that of a public host. */
    readonly file_data?: string
    readonly file_id?: string
  }
}

/** By its `type`. */
export type ContentPart = AudioPart | FilePart | ImagePart | TextPart | VideoPart

/** A call of a tool that the model asks for; the arguments are JSON, as the model wrote it. */
export interface ToolCall {
  readonly id: string
  readonly type: "function"
  readonly function: { readonly name: string; readonly arguments: string }
}

/** A call of a custom tool, whose input is free text. */
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

/** What a user says, such as `{ role: "user", content: "Hello" }`. */
export interface UserMessage {
  readonly role: "user"
  readonly content: string | ReadonlyArray<ContentPart>
  readonly name?: string
}

/** What a model answers with, and what it is told again that it said: an answer may be sent back as it came. */
export interface AssistantMessage {
  readonly role: "assistant"
  readonly content?: string | ReadonlyArray<ContentPart> | null
  readonly name?: string
  readonly tool_calls?: ReadonlyArray<ToolCall>
  readonly refusal?: string | null
  readonly reasoning?: string | null
  /** As its provider has them; some need them back to go on. */
  readonly reasoning_details?: ReadonlyArray<unknown>
  readonly images?: ReadonlyArray<ImagePart>
  readonly audio?: unknown
  readonly annotations?: ReadonlyArray<unknown>
}

/** An earlier answer; OpenAI's client has more forms of it than models answer with. */
export interface PastAssistantMessage extends Omit<AssistantMessage, "content" | "tool_calls"> {
  readonly content?: string | ReadonlyArray<ContentPart | RefusalPart> | null
  readonly tool_calls?: ReadonlyArray<CustomToolCall | ToolCall>
}

/** What a function returned, in the form that came before tools. */
export interface FunctionMessage {
  readonly role: "function"
  readonly name: string
  readonly content: string | null
}

/** What a tool said. */
export interface ToolMessage {
  readonly role: "tool"
  readonly tool_call_id: string
  readonly content: string | ReadonlyArray<ContentPart>
  readonly name?: string
}

/** By its `role`. */
export type ChatRequestMessage =
  | FunctionMessage
  | PastAssistantMessage
  | SystemMessage
  | ToolMessage
  | UserMessage
