/** An assistant message of a script, which each API of chats writes in its own words. */
import { applyFlaw } from "./applyFlaw.ts"
import type { DecisionContent, MessageContent, Report, Timeline, ToolCall } from "./Content.ts"
import { assignDistributions, toWeights } from "./Distribution.ts"
import { getProperty } from "./getProperty.ts"
import { generateJson, toQuestions } from "./generateJson.ts"
import type { RequestedFormat } from "./parseRequestedFormat.ts"

/** An assistant message, in no words of an API. */
export interface ScriptedMessage {
  readonly reasoning?: string
  readonly pieces: Timeline<string>
  readonly toolCalls?: ReadonlyArray<ToolCall>
  readonly error?: { readonly code: number | string; readonly message: string }
  readonly refused: boolean
  readonly finishReason: string
  /** The probabilities of its only token. */
  readonly probabilities?: Readonly<Record<string, number>>
  readonly done: boolean
  readonly report: Report
}

const defaultMessage = { refused: false, finishReason: "stop", done: true, report: {} }

/** The message that answers a request for `requested`. */
export const toScriptedMessage = (
  requested: RequestedFormat,
  content: MessageContent
): ScriptedMessage => {
  switch (content.type) {
    case "decision":
      return toDecisionMessage(requested, content)
    case "chat":
      return { ...content, refused: false }
    case "logprobs":
      return sampleMessage(content.probabilities, content.report)
    case "refusal":
      return content.by === "model"
        ? { ...defaultMessage, pieces: ["I can't help with that."], refused: true }
        : { ...defaultMessage, pieces: [], finishReason: "content_filter" }
  }
}

const toDecisionMessage = (
  requested: RequestedFormat,
  { distributions, flaw, report }: DecisionContent
): ScriptedMessage => {
  switch (requested.form) {
    case "json": {
      const given = assignDistributions(toQuestions(requested.schema), distributions)
      const text = JSON.stringify(applyFlaw(generateJson(requested.schema, given), flaw))
      return { ...defaultMessage, pieces: text.match(/.{1,16}/gsu) ?? [], report }
    }
    case "identifier": {
      if (flaw !== undefined) return sampleMessage({ Well: 0.75, Perhaps: 0.25 }, report)
      const { identifiers } = requested
      const weights = toWeights(
        identifiers,
        assignDistributions(["question"], distributions).get("question")
      )
      return sampleMessage(
        Object.fromEntries(identifiers.map((id, i) => [id, weights[i]!])),
        report
      )
    }
    case "prose": {
      assignDistributions([], distributions)
      return { ...defaultMessage, pieces: ["All ", "is ", "well."], report }
    }
  }
}

const sampleMessage = (
  probabilities: Readonly<Record<string, number>>,
  report: Report
): ScriptedMessage => {
  const [likeliest] = compareProbability(probabilities)
  return { ...defaultMessage, pieces: [likeliest?.[0] ?? ""], probabilities, report }
}

/** The tokens and their probabilities, the likeliest first. */
export const compareProbability = (probabilities: Readonly<Record<string, number>>) =>
  Object.entries(probabilities).toSorted(([, one], [, other]) => other - one)

/** The text of the pieces, without the waits. */
export const toText = (pieces: Timeline<string>): string =>
  pieces.filter((piece) => typeof piece === "string").join("")

/** A count in the usage of OpenAI's API that is scripted, such as `cached_tokens` of `prompt_tokens_details`. */
export const findUsageDetail = (
  { report }: ScriptedMessage,
  details: string,
  name: string
): number | null => {
  const count = getProperty(getProperty(report.usageDetails, details), name)
  return typeof count === "number" ? count : null
}
