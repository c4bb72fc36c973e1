/** The call of a chat at one endpoint. */
import type * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type { NativeRequest } from "../../conversation/Dialect.ts"
import { nameReasoning } from "../../dialects/chat/reasoningText.ts"
import { isEmpty, toUnsupported } from "../../dialects/UntranslatableRequest.ts"
import { selectFields } from "../../routing/parseRequest.ts"
import type { RouteTarget } from "../../routing/RouteWork.ts"
import type { ChatCall, ChatCapability } from "../../engine/upstreams/ChatCapability.ts"
import type { ChatFacts } from "../../engine/upstreams/ChatFacts.ts"
import { countTools, findAnswerFacts } from "../../engine/upstreams/openaiChat/chatFacts.ts"
import type { ParsedChat } from "./request/parseChatRequest.ts"
import { findMaxOutputTokens, toUpstreamParameters } from "./toUpstreamParameters.ts"

type Target = RouteTarget<ChatCapability>
interface Listeners extends Pick<ChatCall, "onChange" | "onReport" | "onUsage"> {
  readonly onBody?: ChatCall["onBody"] | undefined
}
type Parameters = ParsedChat["parameters"]

export const toChatCall = (
  parsed: ParsedChat,
  target: Target,
  listeners: Listeners = noListeners
): ChatCall => {
  const { candidate } = target
  const { endpoint } = candidate
  const parameters = toUpstreamParameters(parsed, endpoint.supportedParameters, endpoint.tier)
  const sent = nameParameters(parsed, parameters, candidate, listeners.onChange)
  return new RoutedCall(parsed, target, listeners, parameters, sent)
}

const noListeners: Listeners = {}

/**
 * The rest of the request is private: it is not for code of a host. What is computed on access is an own property, so that
 * an upstream of a host may hand on `{ ...call, model: "other" }`; calls share its functions.
 */
class RoutedCall implements ChatCall {
  readonly model: string
  readonly native: NativeRequest
  declare readonly conversation: ChatCall["conversation"]
  declare readonly contentBytes: number
  declare readonly facts: ChatFacts
  declare readonly serviceTier?: string
  declare readonly dialectHeaders?: NonNullable<ChatCall["dialectHeaders"]>
  declare readonly supportedParameters?: NonNullable<ChatCall["supportedParameters"]>
  declare readonly serverFields?: NonNullable<ChatCall["serverFields"]>
  declare readonly efforts?: NonNullable<ChatCall["efforts"]>
  declare readonly maxOutputTokens?: number
  declare readonly credential?: Redacted.Redacted
  declare readonly onUsage?: NonNullable<ChatCall["onUsage"]>
  declare readonly onReport?: NonNullable<ChatCall["onReport"]>
  declare readonly onBody?: NonNullable<ChatCall["onBody"]>
  declare readonly onChange?: NonNullable<ChatCall["onChange"]>
  readonly #parsed: ParsedChat
  readonly #parameters: Parameters
  readonly #sent: Parameters
  #written: ChatCall["conversation"] | undefined = undefined

  constructor(
    parsed: ParsedChat,
    { candidate, capability, credential }: Target,
    { onBody, onChange, onReport, onUsage }: Listeners,
    parameters: Parameters,
    sent: Parameters
  ) {
    const { efforts, endpoint } = candidate
    const { dialectHeaders, native, said } = parsed
    const { supportedParameters } = endpoint
    const { service_tier: tier } = sent
    const maxOutputTokens = findMaxOutputTokens(parsed, endpoint, sent)
    this.model = endpoint.upstreamModel
    this.native = native.dialect === "chat" ? new SentChat(sent, said) : native
    this.#parsed = parsed
    this.#parameters = parameters
    this.#sent = sent
    Object.defineProperties(this, RoutedCall.#computed)
    if (typeof tier === "string") this.serviceTier = tier
    if (supportedParameters !== undefined) this.supportedParameters = supportedParameters
    const serverFields = pickKnown(parsed.serverFields, capability.serverFields)
    if (serverFields !== undefined) this.serverFields = serverFields
    if (efforts !== undefined) this.efforts = efforts
    if (onBody !== undefined) this.onBody = onBody
    if (onChange !== undefined) this.onChange = onChange
    if (onReport !== undefined) this.onReport = onReport
    if (onUsage !== undefined) this.onUsage = onUsage
    if (credential !== undefined) this.credential = credential
    if (dialectHeaders !== undefined) this.dialectHeaders = dialectHeaders
    if (maxOutputTokens !== undefined) this.maxOutputTokens = maxOutputTokens
  }

  static readonly #computed = {
    conversation: {
      enumerable: true,
      get(this: RoutedCall): ChatCall["conversation"] {
        const parsed = this.#parsed
        const parameters = this.#parameters
        return (this.#written ??= Result.mapError(
          parsed.said.toConversation(parameters, parameters !== parsed.parameters),
          toUnsupported
        ))
      }
    },
    contentBytes: {
      enumerable: true,
      get(this: RoutedCall): number {
        return this.#parsed.size.get()
      }
    },
    facts: {
      enumerable: true,
      get(this: RoutedCall): ChatFacts {
        return findFacts(this.#parsed, this.#sent)
      }
    }
  }
}

/** Undefined: the server knows none of them. */
const pickKnown = (
  given: ParsedChat["serverFields"],
  known: ReadonlyArray<string> | undefined
): ChatCall["serverFields"] => {
  if (given === undefined || known === undefined) return undefined
  const picked = selectFields(given, (name) => known.includes(name))
  return isEmpty(picked) ? undefined : picked
}

/** Written on first access: most upstreams read it once, and upstreams of other dialects never. */
class SentChat implements NativeRequest {
  readonly #parameters: Parameters
  readonly #said: ParsedChat["said"]
  #written: NativeRequest["body"] | undefined = undefined

  constructor(parameters: Parameters, said: ParsedChat["said"]) {
    this.#parameters = parameters
    this.#said = said
  }

  get dialect(): "chat" {
    return "chat"
  }

  get body(): NativeRequest["body"] {
    return (this.#written ??= { ...this.#parameters, messages: this.#said.toMessages() })
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
