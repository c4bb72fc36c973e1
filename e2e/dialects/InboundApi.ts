/** The APIs by which a chat may come, each with its official client. */
import type Anthropic from "@anthropic-ai/sdk"
import type OpenAI from "openai"
import { askChat, leaveChat, type ChatSummary } from "./askChat.ts"
import { askMessages, leaveMessages } from "./askMessages.ts"
import { askResponses, leaveResponses } from "./askResponses.ts"
import type { Json } from "./NativeAnswer.ts"
import type { ProviderDialect } from "./ProviderDialect.ts"
import { toMessagesBody } from "./toMessagesBody.ts"
import { toResponsesBody } from "./toResponsesBody.ts"

/** The official clients of a server; `tap` gets the text of each response. */
interface Clients {
  readonly makeClient: (tap?: (text: string) => void) => OpenAI
  readonly makeAnthropicClient: (tap?: (text: string) => void) => Anthropic
}

export interface InboundApi {
  readonly name: Exclude<ProviderDialect, "gemini">
  /** The messages of a chat in the form of the API; undefined where it cannot say them. */
  readonly toBody: (messages: ReadonlyArray<Json>) => Json | undefined
  /** The name of the field that limits the length of an answer. */
  readonly capName: string
  /** Whether a stream ends with `[DONE]`, even when it broke off. */
  readonly done: "always" | "complete" | "never"
  readonly ask: (
    server: Clients,
    request: Json,
    isStreamed: boolean,
    tap?: (text: string) => void
  ) => Promise<ChatSummary>
  /** Asks for a stream, and leaves it after the first text. Returns the id of the answer. */
  readonly leave: (server: Clients, request: Json) => Promise<string>
}

export const chatApi: InboundApi = {
  name: "chat",
  toBody: (messages) => ({ messages }),
  capName: "max_tokens",
  done: "complete",
  ask: (server, request, isStreamed, tap) => askChat(server.makeClient(tap), request, isStreamed),
  leave: (server, request) => leaveChat(server.makeClient(), request)
}

export const inboundApis: ReadonlyArray<InboundApi> = [
  chatApi,
  {
    name: "messages",
    toBody: toMessagesBody,
    capName: "max_tokens",
    done: "never",
    ask: (server, request, isStreamed, tap) =>
      askMessages(server.makeAnthropicClient(tap), request, isStreamed),
    leave: (server, request) => leaveMessages(server.makeAnthropicClient(), request)
  },
  {
    name: "responses",
    toBody: toResponsesBody,
    capName: "max_output_tokens",
    done: "always",
    ask: (server, request, isStreamed, tap) =>
      askResponses(server.makeClient(tap), request, isStreamed),
    leave: (server, request) => leaveResponses(server.makeClient(), request)
  }
]
