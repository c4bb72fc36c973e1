/** Messages: the operations of the group `messages`. `npm run docs` writes this file from the contract. */
import type { CallOptions, Connection } from "../Connection.ts"
import { flattenExtra } from "../flattenExtra.ts"
import type { Message, MessageEvent } from "./types/Message.ts"
import type { MessagesRequest } from "./types/MessagesRequest.ts"
import type { WithRoutingMetadata } from "./types/WithRoutingMetadata.ts"

/** Messages. */
export const messages = (connection: Connection) => ({
  /** Create a message by Anthropic's API, whole or streamed. */
  create: (
    request: MessagesRequest,
    options?: CallOptions
  ): Promise<Message & WithRoutingMetadata> =>
    connection.call("POST /api/v1/messages", flattenExtra(request), options),
  /** The same, streamed. Breaking out of the loop ends the request. */
  stream: (request: MessagesRequest, options?: CallOptions): AsyncIterable<MessageEvent> =>
    connection.stream(
      "POST /api/v1/messages",
      { ...flattenExtra(request), stream: true },
      "message_stop",
      options
    ),
  /** Estimate the tokens of a prompt with its system prompt and tools, without calling a provider. */
  countTokens: (
    request: MessagesRequest,
    options?: CallOptions
  ): Promise<{ readonly input_tokens: number }> =>
    connection.call("POST /api/v1/messages/count_tokens", flattenExtra(request), options)
})
