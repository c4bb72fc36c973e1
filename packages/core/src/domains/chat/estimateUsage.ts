/** The usage of a chat: its worst case, and what its answer used as far as that is known. */
import type { Dialect, NativeRequest } from "../../conversation/Dialect.ts"
import type { ChatCapability, ChatChoice } from "../../engine/upstreams/ChatCapability.ts"
import { UpstreamDefect } from "../../engine/upstreams/failures/UpstreamFailure.ts"
import type { RouteTarget } from "../../routing/RouteWork.ts"
import {
  addServerTools,
  boundTurn,
  listServerTools
} from "../../routing/serverTools/boundServerTools.ts"
import { isObject, toList } from "../../values/json/guards.ts"
import type { ServerCalls } from "../../values/usage/ModelUsage.ts"
import {
  estimateTextTokens,
  getRequestCount,
  isValidUsage,
  type TokenUsage
} from "../../values/usage/TokenUsage.ts"
import { countPartCharacters } from "./countCharacters.ts"
import type { ParsedChat } from "./request/parseChatRequest.ts"
import type { ChatAccumulator } from "./stream/ChatAccumulator.ts"
import { toChatCall } from "./toChatCall.ts"

type Target = RouteTarget<ChatCapability>

/**
 * A provider rejects a prompt that exceeds the context of its model, and charges nothing for it. Tools that it runs by
 * itself add what they read and what they search.
 */
export const estimateWorstCase = (parsed: ParsedChat, target: Target): TokenUsage => {
  const { candidate, capability } = target
  const { endpoint } = candidate
  const worst = capability.estimateWorstCase(toChatCall(parsed, target))
  const { contextLength = Infinity } = endpoint
  const requests = getRequestCount(worst)
  const sent = {
    ...worst,
    inputTokens: Math.min(worst.inputTokens, contextLength * requests)
  }
  const tools = listServerTools(parsed.serverTools, candidate)
  const { native: written } = parsed
  const isNative = written.dialect !== "chat" && written.dialect === candidate.dialect
  const native = isNative ? written : undefined
  const compacted = addCompaction(sent, native, endpoint.maxCompletionTokens ?? maxSummaryTokens)
  return addImages(parsed, addServerTools(compacted, tools, endpoint))
}

/** The most that models write, for an endpoint that states no limit. */
const maxSummaryTokens = 128_000

/** The usage that is known of an answer. */
export interface ToldUsage {
  /** The usage that the provider reports; absent: it reports none. */
  readonly usage?: TokenUsage | undefined
  /** Content followed the report, which it does not count; absent: none did. */
  readonly isBehind?: boolean
  /** The tools that the provider was seen to run; absent: none. */
  readonly serverCalls?: ServerCalls | undefined
}

/** Whether a report of the provider counts all of an answer. No prompt is empty, so one of no tokens was not counted. */
export const isCounted = ({ isBehind = false, usage }: ToldUsage): boolean =>
  !isBehind && isValidUsage(usage) && usage.inputTokens > 0

/**
 * The usage so far: as the provider reports it, else estimated from the answer and from what the provider was seen to run.
 */
export const resolveUsage = (
  parsed: ParsedChat,
  target: Target,
  answer: AnswerSize,
  told: ToldUsage
): TokenUsage => {
  const { serverCalls, usage } = told
  const isReported = isValidUsage(usage)
  if (isReported && isCounted(told)) return addImages(parsed, usage)
  const worst = findWorstCase(parsed, target)
  const estimated = estimateUsage(parsed, answer, worst)
  const known = isReported
    ? {
        ...usage,
        // A placeholder, sent before the text or by a server that counts nothing.
        inputTokens: usage.inputTokens === 0 ? estimated.inputTokens : usage.inputTokens,
        outputTokens: Math.max(usage.outputTokens, estimated.outputTokens)
      }
    : estimated
  return addImages(
    parsed,
    serverCalls === undefined ? known : addServerCalls(known, serverCalls, target, worst)
  )
}

/**
 * Charges up to a turn's bound after each server call, which the model may have read, so that leaving before the report
 * does not save money. The reserved worst case is the upper limit.
 */
const addServerCalls = (
  usage: TokenUsage,
  { calls, webSearches }: ServerCalls,
  { candidate: { endpoint } }: Target,
  { inputTokens: most }: Pick<TokenUsage, "inputTokens"> = { inputTokens: 0 }
): TokenUsage => {
  const inputTokens = Math.min(usage.inputTokens + calls * boundTurn(endpoint), most)
  return {
    ...usage,
    ...(inputTokens > usage.inputTokens && inputTokens < Infinity ? { inputTokens } : undefined),
    ...(webSearches > (usage.webSearches ?? 0) ? { webSearches } : undefined)
  }
}

export type AnswerSize = Pick<ChatAccumulator, "characters" | "pieces">

/** The size of a whole answer, which is needed only when its provider reports no usage. */
export class ChoicesSize implements AnswerSize {
  readonly #choices: ReadonlyArray<ChatChoice>

  constructor(choices: ReadonlyArray<ChatChoice>) {
    this.#choices = choices
  }

  pieces(): number {
    return this.#choices.length
  }

  characters(): number {
    let characters = 0
    for (const { answer } of this.#choices) {
      for (const part of answer.parts) characters += countPartCharacters(part)
    }
    return characters
  }
}

const noAnswer: AnswerSize = { pieces: () => 0, characters: () => 0 }

/** The usage of a call that is not known to have answered. */
export const estimateUnreportedUsage = (parsed: ParsedChat, target: Target): TokenUsage =>
  addImages(parsed, estimateUsage(parsed, noAnswer, findWorstCase(parsed, target)))

/** At least one token for each piece of the answer, and at most `worstCase`, which is the reserved amount. */
export const estimateUsage = (
  { inputTokens }: Pick<ParsedChat, "inputTokens">,
  answer: AnswerSize,
  worstCase: TokenUsage = { inputTokens: Infinity, outputTokens: Infinity }
): TokenUsage => ({
  inputTokens: Math.min(inputTokens, worstCase.inputTokens),
  outputTokens: Math.min(
    Math.max(answer.pieces(), estimateTextTokens(answer.characters())),
    worstCase.outputTokens
  )
})

/** A defect in the provider's estimate must not cost the caller an answer that exists. */
const findWorstCase = (parsed: ParsedChat, target: Target): TokenUsage | undefined => {
  try {
    return estimateWorstCase(parsed, target)
  } catch (defect) {
    if (defect instanceof UpstreamDefect) return undefined
    throw defect
  }
}

/** Upstreams count tokens; images with a price of their own are counted here. */
const addImages = ({ images }: ParsedChat, usage: TokenUsage): TokenUsage =>
  images === 0 ? usage : { ...usage, images: images * getRequestCount(usage) }

/**
 * The model reads the conversation once more and writes a summary of any length, which the cap of the answer does not bound
 * and which is charged beside it (https://platform.claude.com/docs/en/build-with-claude/compaction,
 * https://developers.openai.com/api/docs/guides/compaction).
 */
const addCompaction = (
  sent: TokenUsage,
  native: NativeRequest | undefined,
  maxCompletionTokens: number
): TokenUsage => {
  const threshold = native === undefined ? undefined : findThreshold(native)
  return threshold === undefined || sent.inputTokens < threshold
    ? sent
    : {
        ...sent,
        inputTokens: sent.inputTokens * 2,
        outputTokens: sent.outputTokens + maxCompletionTokens
      }
}

/** The prompt in tokens from which it is compacted; undefined: never. */
const findThreshold = ({ body, dialect }: NativeRequest): number | undefined => {
  const { context_management: wanted } = body
  const edits = isObject(wanted) ? wanted["edits"] : wanted
  for (const edit of toList(edits)) {
    if (!isObject(edit) || !String(edit["type"]).startsWith("compact")) continue
    const { compact_threshold: threshold, trigger } = edit
    const value = isObject(trigger) ? trigger["value"] : threshold
    return typeof value === "number" ? value : defaultThresholds[dialect]
  }
  return undefined
}

/** OpenAI names none. */
const defaultThresholds: Readonly<Partial<Record<Dialect, number>>> = {
  messages: 150_000,
  responses: 0
}
