/** How many tokens a scripted upstream counts for a text: one for every four bytes begun. */
export const countTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / 4)
