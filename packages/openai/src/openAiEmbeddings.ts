/** How OpenAI makes embeddings: https://platform.openai.com/docs/api-reference/embeddings. */

export const openAiEmbeddings = { maxInputs: 2_048, takesEncoding: true }
