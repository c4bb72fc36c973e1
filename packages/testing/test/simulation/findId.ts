/** The id that a response says, whole or streamed; empty without one. */
export const findId = (text: string): string => /"id":"([^"]+)"/.exec(text)?.[1] ?? ""
