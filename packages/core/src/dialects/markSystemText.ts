/** Instructions in the middle of a conversation, for models that take them only at its beginning. */

/** Marks text in a user's turn as written by the system. */
export const markSystemText = (text: string): string => `<system>\n${text}\n</system>`
