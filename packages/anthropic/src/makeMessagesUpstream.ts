/** Makes an upstream whose chats and Decisions go to one server with the Messages API. */
import {
  makeMessagesChat,
  type MessagesEndpoint,
  thinkingParameters
} from "@signalbox/core/dialects"
import { makeChatDecisions, makeProbe, type Upstream } from "@signalbox/core/upstream"
import { type ChatOptions, checkChatOptions } from "./ChatOptions.ts"

/** The server, and its credential. */
export interface MessagesServer
  extends
    Pick<MessagesEndpoint, "apiKey" | "keyHeader" | "signer">,
    Pick<Upstream, "authors" | "listedAs"> {
  /** Unless the options name another. */
  readonly slug: string
  readonly name: string
  /** The URL under which `/v1/messages` is. */
  readonly root: string
}

/** Throws a `RangeError` for an option out of range. */
export const makeMessagesUpstream = (
  options: ChatOptions,
  { apiKey, authors, keyHeader, listedAs, name, root, signer, slug }: MessagesServer
): Upstream => {
  checkChatOptions(options)
  const { headers, maxFileTokens, maxImageTokens = 10_000, maxOutputTokens, models } = options
  const url = `${root}/v1/messages`
  const chat = makeMessagesChat({
    getUrl: () => url,
    apiKey,
    keyHeader,
    signer,
    headers,
    models,
    maxImageTokens,
    maxFileTokens,
    maxOutputTokens
  })
  return {
    slug: options.slug ?? slug,
    name: options.name ?? name,
    ...(listedAs === undefined ? undefined : { listedAs }),
    ...(authors === undefined ? undefined : { authors }),
    chat,
    probe: makeProbe({
      url: `${root}/v1/models`,
      apiKey,
      keyHeader,
      signer,
      headers: { "anthropic-version": "2023-06-01", ...headers }
    }),
    decisions: makeChatDecisions(chat, {
      maxImageTokens,
      // The newest models think in any case.
      assumedParameters: thinkingParameters
    })
  }
}
