/** Handlers of the chat operations. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Handlers } from "../operation/Handler.ts"
import { makeAnswerApi } from "../operation/makeAnswerApi.ts"
import { toChatCompletion } from "../../domains/chat/ChatAnswer.ts"
import { decodeChatRequest, type ParsedChat } from "../../domains/chat/request/parseChatRequest.ts"
import type { ChatApi } from "./ChatApi.ts"
import { makeChatEventWriter } from "./makeChatEventWriter.ts"

export const chatHandlers = Effect.map(
  makeAnswerApi({
    decode: (json, options, headers) =>
      Result.map(decodeChatRequest(json, options), (parsed) => ({
        parsed: addBetas(parsed, headers["x-anthropic-beta"])
      })),
    write: (answer, _, { routing }) => routing.addMetadata(toChatCompletion(answer)),
    makeEventWriter: (stream, _, { routing }) => makeChatEventWriter(stream, routing)
  }),
  ({ create }) => ({ complete: create }) satisfies Handlers<typeof ChatApi>
)

/** For providers with Anthropic's API alone. */
const addBetas = (parsed: ParsedChat, betas: string | undefined): ParsedChat =>
  betas === undefined
    ? parsed
    : {
        ...parsed,
        dialectHeaders: { dialect: "messages", headers: { "anthropic-beta": betas } }
      }
