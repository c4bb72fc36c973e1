/** The content of a chat of texts that came by another API than OpenAI's chat API: it is translated when that is first needed. */
import type { Conversation } from "../../../conversation/Conversation.ts"
import type { ReasoningFamilies } from "../../../dialects/chat/findReasoningFamilies.ts"
import type { PlainTexts, UnreadConversation } from "../../../dialects/PlainTexts.ts"
import { SaidInTurns } from "./SaidInTurns.ts"
import type { MediaPart } from "./turnFacts.ts"

export class SaidInTexts extends SaidInTurns {
  readonly #texts: PlainTexts

  constructor(unread: UnreadConversation, others?: Readonly<Record<string, unknown>>) {
    super((): Conversation => ({ ...unread.settings, turns: unread.toTurns() }), others)
    this.#texts = unread.texts
  }

  override countMessages(): number {
    return this.#texts.messages
  }

  override get mediaParts(): ReadonlyArray<MediaPart> {
    return noMedia
  }

  override findReasoningFamilies(): ReasoningFamilies {
    return noFamilies
  }

  override findPrefill(): number | undefined {
    return this.#texts.prefill
  }
}

const noMedia: ReadonlyArray<MediaPart> = []
const noFamilies: ReasoningFamilies = {}
