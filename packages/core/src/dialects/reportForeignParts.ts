/** Reports parts of messages that the dialect of the provider cannot express, such as one that only some chat servers know. */
import type { Conversation } from "../conversation/Conversation.ts"
import type { Dialect } from "../conversation/Dialect.ts"
import type { Part } from "../conversation/Part.ts"
import type { RequestChanges } from "./RequestChanges.ts"

/** Reports `messages` as a whole, because a turn may hold several messages of the caller. */
export const reportForeignParts = (
  { turns }: Conversation,
  dialect: Dialect,
  changes: RequestChanges
): void => {
  for (const { parts } of turns) {
    for (const part of parts) if (isForeign(part, dialect)) return changes.add(["messages"])
  }
}

const isForeign = (part: Part, dialect: Dialect): boolean => {
  if (part.type === "opaque") return part.dialect !== dialect
  return part.type === "result" && part.content.some((each) => isForeign(each, dialect))
}
