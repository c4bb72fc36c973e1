/** The texts of a chat, in the form in which its caller or the application wrote them. */
import * as Result from "effect/Result"
import type { Conversation } from "../../../conversation/Conversation.ts"
import { readMessagesRequest } from "../../../dialects/messages/parseRequest.ts"
import { isUnread } from "../../../dialects/PlainTexts.ts"
import { readResponsesRequest } from "../../../dialects/responses/parseRequest.ts"
import { toChatConversation } from "../../../dialects/responses/toChatConversation.ts"
import type { UntranslatableRequest } from "../../../dialects/UntranslatableRequest.ts"
import { applyEdits, type TextSlots } from "../../../engine/filters/TextSlot.ts"
import { listMessages } from "../../../engine/upstreams/openaiChat/ChatBody.ts"
import type { ScreenedTexts } from "../../../routing/filters/ContentFilters.ts"
import { JsonSize } from "../../../values/json/JsonSize.ts"
import { SaidInMessages } from "../said/SaidInMessages.ts"
import { SaidInTurns } from "../said/SaidInTurns.ts"
import type { NativeChat, ParsedChat } from "./parseChatRequest.ts"

export const chatTexts: ScreenedTexts<ParsedChat> = {
  addTexts: ({ native, said }, slots) => {
    if (native.dialect === "chat" && said instanceof SaidInTurns) {
      slots.addMessages({ turns: said.turns }, "turns", "messages")
    } else addNative(native, slots)
  },
  edit: (parsed, edits) => {
    const { native, parameters, said } = parsed
    if (native.dialect === "chat" && said instanceof SaidInTurns) {
      const turns = applyEdits(said.turns, edits)
      const edited = said.withTurns(() => turns)
      return {
        ...parsed,
        said: edited,
        native: withMessages(native, () => edited.toMessages()),
        size: new JsonSize({ turns, parameters }, 0)
      }
    }
    const body = applyEdits(native.body, edits)
    const edited: ParsedChat = { ...parsed, native: { ...native, body } }
    if (native.dialect === "chat") {
      const messages = listMessages(body["messages"])
      const changed = applyEdits(parameters, edits)
      return {
        ...edited,
        parameters: changed,
        said: new SaidInMessages(messages),
        size: new JsonSize({ messages, parameters: changed })
      }
    }
    return {
      ...edited,
      // Requests of both other APIs are said in turns.
      said: said instanceof SaidInTurns ? said.withTurns(() => readTurns(native, body)) : said,
      size: new JsonSize(body)
    }
  }
}

const addNative = ({ body, dialect }: NativeChat, slots: TextSlots): void => {
  if (dialect === "responses") {
    slots.addContent(body, "instructions", "instructions", "system")
    slots.addMessages(body, "input", "input")
    return
  }
  if (dialect === "messages") slots.addContent(body, "system", "system", "system")
  slots.addMessages(body, "messages", "messages")
  const { prediction } = body
  if (dialect === "chat" && typeof prediction === "object" && prediction !== null) {
    slots.addContent(prediction, "content", "prediction.content", "assistant")
  }
}

/** The body of a chat in no API's words is written when a provider needs it. */
const withMessages = (
  native: NativeChat,
  toMessages: () => ReadonlyArray<Readonly<Record<string, unknown>>>
): NativeChat => ({
  dialect: native.dialect,
  get body() {
    return { ...native.body, messages: toMessages() }
  }
})

/** A request stays valid, because only texts have changed, or whole turns are missing. */
export const readTurns = (native: NativeChat, body: NativeChat["body"]): Conversation["turns"] =>
  Result.getOrThrow(parseTurns(native, body))

/** The turns of a request by another API than the chat API. */
export const parseTurns = (
  { dialect }: NativeChat,
  body: NativeChat["body"]
): Result.Result<Conversation["turns"], UntranslatableRequest> => {
  const read = dialect === "messages" ? readMessagesRequest(body) : readResponsesRequest(body)
  return Result.map(read, (said) => {
    const conversation = dialect === "messages" ? said : toChatConversation(said)
    return isUnread(conversation) ? conversation.toTurns() : conversation.turns
  })
}
