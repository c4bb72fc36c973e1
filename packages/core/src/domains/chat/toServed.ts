/** The answer of a chat as the success of an attempt: its usage, its cost, and how it was served. */
import * as Result from "effect/Result"
import type { Part } from "../../conversation/Part.ts"
import type {
  ChatCapability,
  ChatMetadata,
  ChatReply
} from "../../engine/upstreams/ChatCapability.ts"
import { UpstreamFailure } from "../../engine/upstreams/failures/UpstreamFailure.ts"
import { isByok } from "../../routing/Candidate.ts"
import type { AttemptSuccess, RequestedService, RouteTarget } from "../../routing/RouteWork.ts"
import { listToolModels } from "../../routing/serverTools/boundServerTools.ts"
import { toServedAs } from "../../routing/toServedAs.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import type { ServedAs, ServedConditions } from "../../values/usage/ModelUsage.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import { type AnswerSize, isCounted, resolveUsage, type ToldUsage } from "./estimateUsage.ts"
import { type SayableReader, unsayableFailure } from "./findUnsayable.ts"
import type { ParsedChat } from "./request/parseChatRequest.ts"

type Target = RouteTarget<ChatCapability>
type Draft<A> = { -readonly [K in keyof A]: A[K] }

/** An answer without content is free on shared capacity (`isZeroCompletion`). */
export const toServed = (
  parsed: ParsedChat,
  target: Target,
  reply: ChatReply,
  answer: AnswerSize,
  told: ToldUsage
): AttemptSuccess<ChatReply> => {
  const usage = resolveUsage(parsed, target, answer, told)
  const isFree = !isByok(target.candidate) && isZeroCompletion({ ...reply, usage })
  const cost = isFree ? NanoUsd.zero : reply.cost
  const served: Draft<AttemptSuccess<ChatReply>> = { value: reply, usage }
  if (!isCounted(told)) served.isEstimated = true
  if (told.serverCalls !== undefined) served.hasRead = true
  if (cost !== undefined) served.cost = cost
  if (reply.model !== undefined) served.model = reply.model
  const servedAs = findServedAs(parsed, target, reply)
  if (servedAs !== undefined) served.servedAs = servedAs
  return served
}

/** Some providers report an error as the finish reason. */
export const errorFinishFailure = new UpstreamFailure({
  kind: "server_error",
  detail: "the answer ended with an error"
})

export const emptyAnswerFailure = new UpstreamFailure({
  kind: "invalid_answer",
  detail: "the answer is empty"
})

export const isErrorReason = (reason: string | null | undefined): boolean => reason === "error"

/**
 * Rejects replies without an answer, so that the router falls back. `sayable`: what of it reaches its caller;
 * undefined: all.
 */
export const checkChatReply = (
  reply: ChatReply,
  sayable: SayableReader | undefined
): Result.Result<ChatReply, UpstreamFailure> => {
  const { choices } = reply
  if (choices.some(({ answer }) => isErrorReason(answer.end.reason))) {
    return Result.fail(errorFinishFailure)
  }
  const isEmpty =
    isZeroCompletion(reply) && choices.every(({ answer }) => !answer.parts.some(hasContent))
  if (sayable?.hasOnlyOmitted() === true) return Result.fail(unsayableFailure)
  return isEmpty ? Result.fail(emptyAnswerFailure) : Result.succeed(reply)
}

/** An answer with neither output tokens nor a finish reason is not charged. */
const isZeroCompletion = ({ choices, usage }: Pick<ChatReply, "choices" | "usage">): boolean =>
  (usage?.outputTokens ?? 0) === 0 &&
  choices.every(({ answer: { end } }) => end.reason === null || end.reason === "")

const hasContent = (part: Part): boolean => part.type !== "text" || part.text !== ""

/** An endpoint of a tier is asked for that tier. */
export const findTargetService = (
  parsed: ParsedChat,
  { candidate }: Target
): RequestedService | undefined => {
  const { endpoint } = candidate
  const service = findRequestedService(parsed, candidate)
  return endpoint.tier === "default"
    ? service
    : { ...service, conditions: { ...service?.conditions, service_tier: endpoint.tier } }
}

/** The model and provider that served it and how, as far as the provider has reported them. */
export const findServedAs = (
  parsed: ParsedChat,
  target: Target,
  report: ChatMetadata
): ServedAs | undefined => toServedAs(report, findTargetService(parsed, target)?.conditions)

/** Speed and place are fields of Anthropic's API, and no other provider is sent them. */
export const findRequestedConditions = ({
  native,
  parameters
}: Pick<ParsedChat, "native" | "parameters">): ServedConditions | undefined => {
  const { inference_geo, speed } = native.dialect === "messages" ? native.body : noFields
  const isPlain =
    typeof parameters["service_tier"] !== "string" &&
    typeof speed !== "string" &&
    typeof inference_geo !== "string"
  if (isPlain) return undefined
  const conditions: { -readonly [K in keyof ServedConditions]: ServedConditions[K] } = {}
  const { service_tier } = parameters
  if (typeof service_tier === "string") conditions.service_tier = service_tier
  if (typeof speed === "string") conditions.speed = speed
  if (typeof inference_geo === "string") conditions.inference_geo = inference_geo
  return conditions
}

const findRequestedService = (
  parsed: Pick<ParsedChat, "native" | "parameters" | "toolModels">,
  candidate: Target["candidate"]
): RequestedService | undefined => {
  const conditions = findRequestedConditions(parsed)
  const models = listToolModels(parsed.toolModels, candidate)?.map(({ name }) => name)
  return conditions === undefined && models === undefined
    ? undefined
    : omitUndefined({ conditions, models })
}

const noFields: Readonly<Record<string, unknown>> = {}
