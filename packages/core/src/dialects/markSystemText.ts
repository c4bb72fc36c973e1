/** Instructions in the middle of a conversation, for models that take them only at its beginning. */

/** The text of a user's turn that says it is none of the user's. */
export const markSystemText = (text: string): string => `<system>\n${text}\n</system>`
