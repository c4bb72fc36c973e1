/** What the router asks of the content of a chat, independent of the API its caller used. */
import type { Conversation } from "../../../conversation/Conversation.ts"
import type { ReasoningFamilies } from "../../../dialects/chat/findReasoningFamilies.ts"
import type { UntranslatableRequest } from "../../../dialects/UntranslatableRequest.ts"
import type { Opener } from "../../../routing/affinity/ConversationTraits.ts"
import type { PromptMedium } from "../../../engine/upstreams/ChatFacts.ts"
import type * as Result from "effect/Result"

/** Each method looks only when it is called. */
export interface Said {
  /** How many messages it has in the chat dialect. */
  readonly countMessages: () => number
  readonly listMedia: () => ReadonlyArray<PromptMedium>
  readonly findReasoningFamilies: () => ReasoningFamilies
  /** How the conversation begins; undefined: it has only instructions. */
  readonly findOpener: () => Opener | undefined
  /**
   * The message, counted from 0, that is the beginning of an answer which the model is to continue; undefined: the chat ends
   * otherwise. Calls are no such beginning, because they get a result, and neither is white space, which is left out where it is
   * refused.
   */
  readonly findPrefill: () => number | undefined
  /** As messages of the chat dialect, for records and servers of that dialect. */
  readonly toMessages: () => ReadonlyArray<Readonly<Record<string, unknown>>>
  /**
   * In no provider's words. Fails for what has no neutral form. `parameters` are those that the endpoint is sent, by their names
   * in the chat dialect; `isLimited`: they are not all that the caller wrote, or have other values.
   */
  readonly toConversation: (
    parameters: Readonly<Record<string, unknown>>,
    isLimited: boolean
  ) => Result.Result<Conversation, UntranslatableRequest>
}
