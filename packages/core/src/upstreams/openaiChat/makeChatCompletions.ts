/** Chats at any server with OpenAI's chat completions API. */
import type { ChatCall, ChatCapability, ChatMessage } from "../ChatCapability.ts"
import { completeChat } from "../completeChat.ts"
import { makeChatEventReader } from "./makeChatEventReader.ts"
import { omitCacheMarks } from "./omitCacheMarks.ts"
import { streamEvents } from "../transport/streamEvents.ts"
import { type ChatTokenLimits, estimateChatWorstCase } from "./estimateChatWorstCase.ts"
import { parseChatReply } from "./parseChatReply.ts"
import type { CostParser } from "./parseChatUsage.ts"
import type { UpstreamRequest } from "../transport/UpstreamRequest.ts"

/** A server with OpenAI's chat completions API. */
export interface ChatEndpoint
  extends
    Pick<UpstreamRequest, "url" | "apiKey" | "keyHeader" | "headers" | "signer">,
    ChatTokenLimits {
  /** Reads the cost of a call from the `usage` of its answer; absent: the upstream reports no trusted cost. */
  readonly parseCost?: CostParser
  /**
   * Whether it takes `stream_options`. Servers that refuse it report the usage of a stream unasked. Default true.
   */
  readonly takesStreamOptions?: boolean | undefined
  /**
   * Fields of assistant messages that it refuses, such as `reasoning_details`, and so does not get. Default: none.
   */
  readonly refusedFields?: ReadonlyArray<string> | undefined
  /**
   * Whether it takes `cache_control`, on messages, parts and tools and as a parameter. Servers that cache on their own may
   * refuse it, and then do not get it. Default true.
   */
  readonly takesCacheMarks?: boolean | undefined
}

/**
 * Posts the model, the messages and the parameters to `url`, unchanged but for what the server refuses, with `stream` and,
 * for a stream, a request for the usage. The credential of a call takes precedence over `apiKey` and `signer`.
 */
export const makeChatCompletions = (endpoint: ChatEndpoint): ChatCapability => {
  const { apiKey, headers, keyHeader, parseCost, signer, url } = endpoint
  const { refusedFields = [], takesCacheMarks = true, takesStreamOptions = true } = endpoint
  const refused = new Set(refusedFields)
  const streamed = takesStreamOptions
    ? { stream: true, stream_options: { include_usage: true } }
    : { stream: true }
  const toRequest = (call: ChatCall, streamOptions: object) => {
    const { messages, parameters } = takesCacheMarks ? call : omitCacheMarks(call)
    return {
      url,
      apiKey: call.credential ?? apiKey,
      keyHeader,
      headers,
      signer: call.credential === undefined ? signer : undefined,
      body: {
        ...parameters,
        model: call.model,
        messages:
          refused.size === 0 ? messages : messages.map((message) => omitRefused(message, refused)),
        ...streamOptions
      }
    }
  }
  return {
    complete: (call) =>
      completeChat(toRequest(call, { stream: false }), (json) => parseChatReply(json, parseCost)),
    stream: (call) =>
      streamEvents({
        ...toRequest(call, streamed),
        reader: () => makeChatEventReader(parseCost, call.onUsage)
      }),
    estimateWorstCase: (call) => estimateChatWorstCase(call, endpoint),
    ...(refused.has("reasoning_details") ? { reasoningFamily: nobody } : undefined)
  }
}

/** A family that signs nothing, so that plans and records say what is left out. */
const nobody = "nobody"

const omitRefused = (message: ChatMessage, refused: ReadonlySet<string>): ChatMessage => {
  if (message.role !== "assistant") return message
  const kept = Object.entries(message).filter(([name]) => !refused.has(name))
  return { role: message.role, ...Object.fromEntries(kept) }
}
