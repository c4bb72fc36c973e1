/** Makes a chat of a request that came by another API than OpenAI's chat API. */
import * as Result from "effect/Result"
import type { Conversation } from "../../conversation/Conversation.ts"
import { writeChatRequest } from "../../dialects/chat/writeChatRequest.ts"
import type { ParseOptions, ParseResult } from "../../routing/parseRequest.ts"
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import { decodeChatRequest, type NativeChat, type ParsedChat } from "./parseChatRequest.ts"

type Path = InvalidRequest["path"]

/** A request that has been translated to a conversation. */
export interface TranslatedChat {
  readonly native: NativeChat
  readonly conversation: Conversation
  /** The fields of the router, such as `models`, `provider` and `stream`, by their names in the chat API. */
  readonly routerFields: Readonly<Record<string, unknown>>
  readonly dialectHeaders?: ParsedChat["dialectHeaders"]
  /** Where the caller wrote what is at `path` of the chat. */
  readonly toNativePath: (path: Path) => Path
}

/** It passes every check of a chat, so restrictions, limits and records treat both alike. */
export const decodeNativeChat = (
  { conversation, dialectHeaders, native, routerFields, toNativePath }: TranslatedChat,
  options: ParseOptions
): ParseResult<ParsedChat> => {
  const { messages, parameters } = writeChatRequest(conversation, { takesToolImages: true })
  const decoded = decodeChatRequest({ ...parameters, ...routerFields, messages }, options)
  if (Result.isFailure(decoded)) {
    const { failure } = decoded
    return failure._tag === "InvalidRequest"
      ? Result.fail(
          new InvalidRequest({ path: toNativePath(failure.path), problem: failure.problem })
        )
      : decoded
  }
  const parsed = decoded.success
  return Result.succeed({
    ...parsed,
    // Upstreams of the same API are sent the request as it was written, which may be longer.
    contentBytes: () => Math.max(parsed.contentBytes(), parsed.bytes),
    native,
    ...(dialectHeaders === undefined ? undefined : { dialectHeaders })
  })
}
