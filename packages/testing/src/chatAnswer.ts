/** Answers in OpenAI's chat completions dialect, whole or as a stream. */
import type { Answer } from "./Answer.ts"
import * as answer from "./Answer.ts"
import { applyFlaw } from "./applyFlaw.ts"
import { type Asked, askedInChat } from "./askedInChat.ts"
import type {
  DecisionContent,
  MessageContent,
  Report,
  Timeline,
  ToolCall,
  Wait
} from "./Content.ts"
import { assign, weigh } from "./Distribution.ts"
import { complaint } from "./errorAnswer.ts"
import { instanceOf, questionsOf } from "./instanceOf.ts"
import { property } from "./property.ts"
import type { RecordedRequest } from "./RecordedRequest.ts"
import { encodeEvent } from "./encodeEvent.ts"
import { tokens } from "./tokens.ts"

/** An assistant message, before it is put into one completion or into many chunks. */
interface Message {
  readonly reasoning?: string
  readonly pieces: Timeline<string>
  readonly toolCalls?: ReadonlyArray<ToolCall>
  readonly error?: { readonly code: number | string; readonly message: string }
  readonly refused: boolean
  readonly finishReason: string
  /** The probabilities its only token was drawn from. */
  readonly probabilities?: Readonly<Record<string, number>>
  readonly done: boolean
  readonly report: Report
}

export const chatAnswer = (request: RecordedRequest, content: MessageContent): Answer => {
  if (request.model === undefined || !Array.isArray(property(request.body, "messages"))) {
    return complaint("chat", 400, "model and messages are required")
  }
  const message = messageOf(request, content)
  return property(request.body, "stream") === true
    ? stream(request, message)
    : completion(request, message)
}

const plain = { refused: false, finishReason: "stop", done: true, report: {} }

const messageOf = (request: RecordedRequest, content: MessageContent): Message => {
  switch (content.type) {
    case "decision":
      return decided(askedInChat(request.body), content)
    case "chat":
      return { ...content, refused: false }
    case "logprobs":
      return drawn(content.probabilities, content.report)
    case "refusal":
      return content.by === "model"
        ? { ...plain, pieces: ["I can't help with that."], refused: true }
        : { ...plain, pieces: [], finishReason: "content_filter" }
  }
}

const decided = (asked: Asked, { distributions, flaw, report }: DecisionContent): Message => {
  switch (asked.form) {
    case "json": {
      const stated = assign(questionsOf(asked.schema), distributions)
      const text = JSON.stringify(applyFlaw(instanceOf(asked.schema, stated), flaw))
      return { ...plain, pieces: text.match(/.{1,16}/gsu) ?? [], report }
    }
    case "identifier": {
      if (flaw !== undefined) return drawn({ Well: 0.75, Perhaps: 0.25 }, report)
      const { identifiers } = asked
      const weights = weigh(identifiers, assign(["question"], distributions).get("question"))
      return drawn(Object.fromEntries(identifiers.map((id, i) => [id, weights[i]!])), report)
    }
    case "prose": {
      assign([], distributions)
      return { ...plain, pieces: ["All ", "is ", "well."], report }
    }
  }
}

const drawn = (probabilities: Readonly<Record<string, number>>, report: Report): Message => {
  const [likeliest] = byProbability(probabilities)
  return { ...plain, pieces: [likeliest?.[0] ?? ""], probabilities, report }
}

const byProbability = (probabilities: Readonly<Record<string, number>>) =>
  Object.entries(probabilities).toSorted(([, one], [, other]) => other - one)

/** What the request asks to see of the probabilities; `null` when it asks for nothing. */
const logprobsOf = (request: RecordedRequest, { pieces, probabilities }: Message) => {
  if (property(request.body, "logprobs") !== true) return null
  const top = Number(property(request.body, "top_logprobs") ?? 0)
  const candidates = byProbability(probabilities ?? { [textOf(pieces)]: 1 })
    .filter(([, probability]) => probability > 0)
    .map(([token, probability]) => ({
      token,
      logprob: Math.log(probability),
      bytes: [...Buffer.from(token)]
    }))
  return {
    content: [{ ...candidates[0], top_logprobs: candidates.slice(0, top) }],
    refusal: null
  }
}

const textOf = (pieces: Timeline<string>): string =>
  pieces.filter((piece) => typeof piece === "string").join("")

/** The indices of the answers that are asked for. */
const answersTo = (request: RecordedRequest): ReadonlyArray<number> =>
  Array.from({ length: Number(property(request.body, "n") ?? 1) }, (_, index) => index)

const usageOf = (request: RecordedRequest, message: Message) => {
  const { pieces, reasoning = "", report, toolCalls = [] } = message
  const said = reasoning + textOf(pieces) + toolCalls.map((call) => call.arguments).join("")
  const prompt = report.usage?.inputTokens ?? tokens(request.raw)
  const completion = report.usage?.outputTokens ?? tokens(said) * answersTo(request).length
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    ...report.usageDetails,
    ...(report.cost === undefined ? undefined : { cost: report.cost })
  }
}

const envelope = (request: RecordedRequest, { report }: Message, object: string) => ({
  id: report.id ?? `chatcmpl-${request.at}`,
  object,
  created: 1_700_000_000,
  model: report.model ?? request.model,
  ...(report.provider === undefined ? undefined : { provider: report.provider }),
  ...(report.systemFingerprint === undefined
    ? undefined
    : { system_fingerprint: report.systemFingerprint }),
  ...(report.serviceTier === undefined ? undefined : { service_tier: report.serviceTier })
})

const completion = (request: RecordedRequest, message: Message): Answer => {
  const { error, pieces, reasoning, toolCalls } = message
  const text = textOf(pieces)
  return answer.json({
    ...envelope(request, message, "chat.completion"),
    choices: answersTo(request).map((index) => ({
      index,
      message: {
        role: "assistant",
        content: message.refused || (toolCalls !== undefined && text === "") ? null : text,
        refusal: message.refused ? text : null,
        ...(reasoning === undefined ? undefined : { reasoning }),
        ...(toolCalls === undefined ? undefined : { tool_calls: toolCalls.map(wholeCall) })
      },
      logprobs: logprobsOf(request, message),
      finish_reason: message.finishReason,
      ...(error === undefined ? undefined : { error })
    })),
    usage: usageOf(request, message)
  })
}

const wholeCall = ({ arguments: text, id, name }: ToolCall) => ({
  id,
  type: "function",
  function: { name, arguments: text }
})

/** A call begins with its name; its arguments come in pieces. */
const callDeltas = (call: ToolCall, index: number): ReadonlyArray<object> => [
  { tool_calls: [{ index, ...wholeCall({ ...call, arguments: "" }) }] },
  ...(call.arguments.match(/.{1,16}/gsu) ?? []).map((piece) => ({
    tool_calls: [{ index, function: { arguments: piece } }]
  }))
]

const stream = (request: RecordedRequest, message: Message): Answer => {
  const chunk = (choices: ReadonlyArray<unknown>, rest: object = {}) =>
    encodeEvent({
      data: { ...envelope(request, message, "chat.completion.chunk"), choices, ...rest }
    })
  const indices = answersTo(request)
  const delta = (delta: object, finishReason: string | null = null, logprobs: unknown = null) =>
    indices.map((index) => chunk([{ index, delta, logprobs, finish_reason: finishReason }]))
  const includeUsage = property(property(request.body, "stream_options"), "include_usage") === true
  const said = message.refused ? "refusal" : "content"
  const firstText = message.pieces.findIndex((piece) => typeof piece === "string")
  const { error, finishReason, reasoning, toolCalls = [] } = message
  const spoken = (piece: string | Wait, i: number): Timeline<Uint8Array> =>
    typeof piece === "string"
      ? delta({ [said]: piece }, null, i === firstText ? logprobsOf(request, message) : null)
      : [piece]
  return {
    status: 200,
    headers: { "content-type": "text/event-stream" },
    body: [
      ...delta({ role: "assistant", [said]: "" }),
      ...(reasoning === undefined ? [] : delta({ reasoning })),
      ...message.pieces.flatMap(spoken),
      ...toolCalls.flatMap(callDeltas).flatMap((each) => delta(each)),
      ...(error === undefined
        ? delta({}, finishReason)
        : [chunk([{ index: 0, delta: { content: "" }, finish_reason: finishReason }], { error })]),
      ...(includeUsage && error === undefined
        ? [chunk([], { usage: usageOf(request, message) })]
        : []),
      ...(message.done ? [encodeEvent({ data: "[DONE]" })] : [])
    ]
  }
}
