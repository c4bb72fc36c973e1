/** The APIs by which a chat may come, each with its official client. */
import { askChat, leaveChat, type ChatSummary } from "./askChat.ts"
import { askMessages, leaveMessages } from "./askMessages.ts"
import { askResponses, leaveResponses } from "./askResponses.ts"
import type { DialectServer } from "./DialectServer.ts"
import type { Json } from "./NativeAnswer.ts"
import type { ProviderDialect } from "./ProviderDialect.ts"
import { toMessagesBody } from "./toMessagesBody.ts"
import { toResponsesBody } from "./toResponsesBody.ts"

export interface InboundApi {
  readonly name: Exclude<ProviderDialect, "gemini">
  /** The messages of a chat in the form of the API; undefined where it cannot say them. */
  readonly toBody: (messages: ReadonlyArray<Json>) => Json | undefined
  /** Whether a stream ends with `[DONE]`, even when it broke off. */
  readonly done: "always" | "complete" | "never"
  readonly ask: (
    server: DialectServer,
    request: Json,
    isStreamed: boolean,
    tap?: (text: string) => void
  ) => Promise<ChatSummary>
  /** Asks for a stream, and leaves it after the first text. Returns the id of the answer. */
  readonly leave: (server: DialectServer, request: Json) => Promise<string>
}

export const chatApi: InboundApi = {
  name: "chat",
  toBody: (messages) => ({ messages }),
  done: "complete",
  ask: (server, request, isStreamed, tap) => askChat(server.makeClient(tap), request, isStreamed),
  leave: (server, request) => leaveChat(server.makeClient(), request)
}

export const inboundApis: ReadonlyArray<InboundApi> = [
  chatApi,
  {
    name: "messages",
    toBody: toMessagesBody,
    done: "never",
    ask: (server, request, isStreamed, tap) =>
      askMessages(server.makeAnthropicClient(tap), request, isStreamed),
    leave: (server, request) => leaveMessages(server.makeAnthropicClient(), request)
  },
  {
    name: "responses",
    toBody: toResponsesBody,
    done: "always",
    ask: (server, request, isStreamed, tap) =>
      askResponses(server.makeClient(tap), request, isStreamed),
    leave: (server, request) => leaveResponses(server.makeClient(), request)
  }
]
