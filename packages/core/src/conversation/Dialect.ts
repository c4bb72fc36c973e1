/** The dialects of providers, and what stays in the words of one. */

/**
 * `chat`: OpenAI's Chat Completions. `messages`: Anthropic's Messages. `responses`: OpenAI's Responses. `gemini`: Google's
 * `generateContent`.
 */
export type Dialect = "chat" | "gemini" | "messages" | "responses"

/**
 * Fields of one dialect without a neutral form, under the names of that dialect. They are written only in the same
 * dialect, and dropped in the others.
 */
export interface Extra {
  readonly dialect: Dialect
  readonly fields: Readonly<Record<string, unknown>>
}

/** The caller's request, without the fields for the router. */
export interface NativeRequest {
  readonly dialect: Dialect
  readonly body: Readonly<Record<string, unknown>>
}
