/** Says the same in the API of each provider. */
import type { NativeAnswer, SpokenAnswer } from "./NativeAnswer.ts"
import { forEachDialect, type ProviderDialect } from "./ProviderDialect.ts"
import { writeChat } from "./writeChat.ts"
import { writeGemini } from "./writeGemini.ts"
import { writeMessages } from "./writeMessages.ts"
import { writeResponses } from "./writeResponses.ts"

/** The same answer in each API. */
export const speak = (answer: SpokenAnswer): Readonly<Record<ProviderDialect, NativeAnswer>> =>
  forEachDialect((dialect) => writers[dialect](answer))

const writers: Readonly<Record<ProviderDialect, (answer: SpokenAnswer) => NativeAnswer>> = {
  chat: writeChat,
  messages: writeMessages,
  gemini: writeGemini,
  responses: writeResponses
}
