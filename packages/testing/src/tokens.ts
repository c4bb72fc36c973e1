/** How many tokens a scripted upstream counts for a text: one for every four bytes begun. */
export const tokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / 4)
