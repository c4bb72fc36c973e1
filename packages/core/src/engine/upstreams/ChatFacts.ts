/** Facts of a chat that bound its tokens, besides the bytes of its content. */

/** An image, sound, film or file in a prompt. */
export interface PromptMedium {
  readonly type: "audio" | "file" | "image" | "video"
  /** Characters of its address, or of its bytes as base64, which are no text for the model. */
  readonly length: number
  /** It is a file of text, which the model reads. */
  readonly isText?: true
  /** Only its provider or its address says how long it is. Absent: `length` bounds its tokens, if it is sound. */
  readonly isElsewhere?: true
}

/** Parts of a chat for which a provider adds tokens, and the form of its answer. */
export interface ChatFacts {
  /** How many messages the chat has in OpenAI's dialect. */
  readonly messages: number
  readonly media: ReadonlyArray<PromptMedium>
  /** How many functions and tools it has. */
  readonly tools: number
  /** How many of them have a type of their provider, whose description is not in the request. */
  readonly providerTools: number
  /** The most answers that a provider may give; 1 unless the caller asks for several. */
  readonly answers: number
  /** Whether the answer may be sound. */
  readonly isSpoken?: true
  /** Whether the answer may be a picture. */
  readonly isPictured?: true
}
