/** Whose reasoning the fields of this API hold as they are. */

/** OpenAI's own; reasoning of any other provider is wrapped. */
export const openaiFormat = "openai-responses-v1"
