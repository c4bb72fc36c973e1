/** Writes a whole chat answer as a response of OpenAI's Responses API. */
import { constVoid } from "effect/Function"
import type { Part, ReasoningPart } from "../../conversation/Part.ts"
import type { ChatReply } from "../../engine/upstreams/ChatCapability.ts"
import { isObject, toList } from "../../values/json/guards.ts"
import type { Json } from "./fields.ts"
import { toIncompleteReason } from "./writeEvents.ts"
import { type ResponseEnd, type ResponseFacts, writeResponseObject } from "./responseObject.ts"
import { ResponseOutput } from "./ResponseOutput.ts"

/** The API has one answer, so other choices are dropped. */
export const writeResponsesAnswer = (
  { choices, serviceTier }: Pick<ChatReply, "choices" | "serviceTier">,
  facts: ResponseFacts,
  end: ResponseEnd
): Json => {
  const output = new ResponseOutput(facts, constVoid)
  const choice = choices.find(({ index }) => index === 0) ?? choices[0]
  if (choice !== undefined) {
    const { logprobs, parts } = choice.answer
    const lastText = parts.findLastIndex(isText)
    const probabilities = isObject(logprobs) ? toList(logprobs["content"]) : []
    for (const [at, part] of parts.entries()) {
      addPart(output, part, `${at}`, at === lastText ? probabilities : [])
    }
  }
  const finishReason = choice?.answer.end.reason ?? null
  const isFailed = finishReason === "error"
  const incompleteReason = toIncompleteReason(finishReason)
  output.close(isFailed || incompleteReason !== undefined)
  return writeResponseObject(facts, {
    status: isFailed ? "failed" : incompleteReason === undefined ? "completed" : "incomplete",
    incompleteReason,
    ...(isFailed
      ? { error: { status: 502, message: "The provider reports an error." } }
      : undefined),
    output: output.toJson(),
    omitted: output.omitted,
    ...(serviceTier === undefined ? undefined : { serviceTier }),
    ...end
  })
}

const isText = (part: Part): boolean =>
  part.type === "text" || (part.type === "opaque" && part.text !== undefined)

const addPart = (
  output: ResponseOutput,
  part: Part,
  key: string,
  logprobs: ReadonlyArray<unknown>
): void => {
  switch (part.type) {
    case "text":
      if (part.signature !== undefined) {
        output.add({ type: "signature", signature: part.signature })
      }
      if (part.text !== "" || logprobs.length > 0) {
        output.add({ type: "text", text: part.text }, logprobs)
      }
      for (const citation of part.citations ?? []) output.add({ type: "citation", citation })
      return
    case "refusal":
    case "opaque":
      return output.add(part)
    case "reasoning":
      return addReasoning(output, part, key)
    case "call": {
      const { arguments: text, id: callId, isCustom = false, name, namespace, signature } = part
      // Signatures travel in items of their own, as they do in the details of a chat.
      if (signature !== undefined) output.add({ type: "signature", signature, callId })
      const call = { id: callId, name, namespace, isCustom }
      return output.add({ type: "call", call, text })
    }
    case "audio":
    case "file":
    case "image":
    case "video":
      return output.add({ type: "media", media: part })
    // An answer has none.
    case "result":
      return
  }
}

const addReasoning = (output: ResponseOutput, part: ReasoningPart, key: string): void => {
  const { encrypted, format, id, isSummary = false, signature, text = "" } = part
  const common = { key, format, ...(id === undefined ? undefined : { id }) }
  if (text !== "" || signature !== undefined) {
    const signed = signature === undefined ? undefined : { signature }
    output.add({ type: "thought", ...common, text, isSummary, ...signed })
  }
  if (encrypted !== undefined) output.add({ type: "encrypted", ...common, encrypted })
}
