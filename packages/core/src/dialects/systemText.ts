/** Instructions alone ask for an answer in OpenAI's APIs; other APIs want a message of the user. */
import type { Turn } from "../conversation/Conversation.ts"
import type { RequestChanges } from "./RequestChanges.ts"

/** The same turns where anybody else says something; else the last instruction is what the user says. */
export const askBySystem = (
  turns: ReadonlyArray<Turn>,
  changes: RequestChanges
): ReadonlyArray<Turn> => {
  const last = turns.at(-1)
  if (last === undefined || turns.some(({ role }) => role !== "system")) return turns
  changes.add(["messages"])
  return [...turns.slice(0, -1), { ...last, role: "user" }]
}

/** Marks text in a user's turn as written by the system. */
export const markSystemText = (text: string): string => `<system>\n${text}\n</system>`
