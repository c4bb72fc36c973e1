/** The call of a chat at one endpoint. */
import * as Result from "effect/Result"
import type { NativeRequest } from "../../conversation/Dialect.ts"
import { nameReasoning } from "../../dialects/chat/reasoningText.ts"
import { toUnsupported } from "../../dialects/UntranslatableRequest.ts"
import type { RouteTarget } from "../../routing/RouteWork.ts"
import type { ChatCall, ChatCapability } from "../../engine/upstreams/ChatCapability.ts"
import type { ChatFacts } from "../../engine/upstreams/ChatFacts.ts"
import { countTools, findAnswerFacts } from "../../engine/upstreams/openaiChat/chatFacts.ts"
import type { ParsedChat } from "./request/parseChatRequest.ts"
import { toUpstreamParameters } from "./toUpstreamParameters.ts"
import { findMaxOutputTokens } from "./outputBounds.ts"

type Target = RouteTarget<ChatCapability>
type Draft<A> = { -readonly [K in keyof A]: A[K] }

export const toChatCall = (
  parsed: ParsedChat,
  { candidate, credential }: Target,
  { onChange, onReport, onUsage }: Pick<ChatCall, "onChange" | "onReport" | "onUsage"> = noListeners
): ChatCall => {
  const { endpoint } = candidate
  const { native, said } = parsed
  const { supportedParameters } = endpoint
  const parameters = toUpstreamParameters(parsed, supportedParameters, endpoint.tier)
  const sent = nameParameters(parsed, parameters, candidate, onChange)
  let conversation: ChatCall["conversation"] | undefined
  const call: Draft<ChatCall> = {
    model: endpoint.upstreamModel,
    native: native.dialect === "chat" ? toSentChat(sent, said) : native,
    get conversation() {
      return (conversation ??= Result.mapError(
        said.toConversation(parameters, parameters !== parsed.parameters),
        toUnsupported
      ))
    },
    get contentBytes() {
      return parsed.contentBytes()
    },
    get facts() {
      return findFacts(parsed, sent)
    }
  }
  const maxOutputTokens = findMaxOutputTokens(parsed, endpoint, sent)
  const { service_tier: tier } = sent
  if (typeof tier === "string") call.serviceTier = tier
  if (supportedParameters !== undefined) call.supportedParameters = supportedParameters
  if (candidate.efforts !== undefined) call.efforts = candidate.efforts
  if (onChange !== undefined) call.onChange = onChange
  if (onReport !== undefined) call.onReport = onReport
  if (onUsage !== undefined) call.onUsage = onUsage
  if (credential !== undefined) call.credential = credential
  if (parsed.dialectHeaders !== undefined) call.dialectHeaders = parsed.dialectHeaders
  if (maxOutputTokens !== undefined) call.maxOutputTokens = maxOutputTokens
  return call
}

const noListeners = {}

type Parameters = ParsedChat["parameters"]

/** Written on first access: most upstreams read it once, and upstreams of other dialects never. */
const toSentChat = (parameters: Parameters, said: ParsedChat["said"]): NativeRequest => {
  let body: NativeRequest["body"] | undefined
  return {
    dialect: "chat",
    get body() {
      return (body ??= { ...parameters, messages: said.toMessages() })
    }
  }
}

const findFacts = ({ native, said }: ParsedChat, sent: Parameters): ChatFacts => ({
  messages: said.countMessages(),
  media: said.listMedia(),
  ...countTools(native.dialect === "chat" ? sent : native.body),
  ...findAnswerFacts(sent)
})

/** Other dialects have a single name for how much a model reasons; the endpoint's list may have another one. */
const nameParameters = (
  { maxOutputTokens, native }: ParsedChat,
  parameters: Parameters,
  { dialect = "chat", endpoint: { supportedParameters } }: Target["candidate"],
  onChange: ChatCall["onChange"]
): Parameters =>
  dialect === "chat"
    ? nameReasoning(
        parameters,
        // A translation is named, and its changes reported, when it is written.
        { native, supportedParameters, onChange: native.dialect === "chat" ? onChange : undefined },
        maxOutputTokens
      )
    : parameters
