/** Chat: the operations of the group `chat`. `npm run docs` writes this file from the contract. */
import type { CallOptions, Connection } from "../Connection.ts"
import { flattenExtra } from "../flattenExtra.ts"
import type { ChatChunk } from "./types/ChatChunk.ts"
import type { ChatCompletion } from "./types/ChatCompletion.ts"
import type { ChatRequest } from "./types/ChatRequest.ts"
import type { WithRoutingMetadata } from "./types/WithRoutingMetadata.ts"

/** Chat. */
export const chat = (connection: Connection) => ({
  /** Create a chat completion, whole or streamed. */
  complete: (
    request: ChatRequest,
    options?: CallOptions
  ): Promise<ChatCompletion & WithRoutingMetadata> =>
    connection.call("POST /api/v1/chat/completions", flattenExtra(request), options),
  /** The same, streamed. Breaking out of the loop ends the request. */
  stream: (
    request: ChatRequest,
    options?: CallOptions
  ): AsyncIterable<ChatChunk & WithRoutingMetadata> =>
    connection.stream(
      "POST /api/v1/chat/completions",
      { ...flattenExtra(request), stream: true },
      "[DONE]",
      options
    )
})
