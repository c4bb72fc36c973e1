/** The format of the unwrapped reasoning in the fields of this API. */

/** OpenAI's own format; reasoning of other providers is wrapped. */
export const openaiFormat = "openai-responses-v1"
