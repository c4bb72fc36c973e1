/** Estimates the tokens of a text: for plans, and for answers whose provider reports no usage. */

/** English text has about four bytes a token. */
const bytesPerToken = 4

export const estimateTextTokens = (bytes: number): number => Math.ceil(bytes / bytesPerToken)
