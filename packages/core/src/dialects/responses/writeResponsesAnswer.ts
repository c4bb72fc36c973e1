/** Writes a whole chat answer as a response of OpenAI's Responses API. */
import { constVoid } from "effect/Function"
import type { Part, ReasoningPart, Signature } from "../../conversation/Part.ts"
import type { ChatReply } from "../../upstreams/ChatCapability.ts"
import { isObject } from "../../values/json/isObject.ts"
import { toAnswer } from "../chat/chatAnswer.ts"
import { fromChatAnnotations } from "./annotations.ts"
import { type Json, toList } from "./fields.ts"
import { toIncompleteReason } from "./makeResponsesEventWriter.ts"
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
    const { parts } = toAnswer(choice)
    const lastText = parts.findLastIndex(({ type }) => type === "text")
    const probabilities = isObject(choice.logprobs) ? toList(choice.logprobs["content"]) : []
    for (const [at, part] of parts.entries()) {
      addPart(output, part, at, at === lastText ? probabilities : [])
      if (at === lastText) {
        output.addAnnotations(fromChatAnnotations(choice.message["annotations"]))
      }
    }
  }
  const finishReason = choice?.finishReason ?? null
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
    ...(serviceTier === undefined ? undefined : { serviceTier }),
    ...end
  })
}

const addPart = (
  output: ResponseOutput,
  part: Part,
  key: number,
  logprobs: ReadonlyArray<unknown>
): void => {
  switch (part.type) {
    case "text":
      addSignature(output, part.signature, key)
      if (part.text !== "" || logprobs.length > 0) output.addText(part.text, logprobs)
      return
    case "refusal":
      return output.addRefusal(part.refusal)
    case "reasoning":
      return output.addReasoning({ ...omitKind(part), key })
    case "call":
      addSignature(output, part.signature, key, part.id)
      return output.addCall(
        {
          id: part.id,
          name: part.name,
          namespace: part.namespace,
          isCustom: part.isCustom === true
        },
        part.arguments
      )
    // The API has no place for these.
    case "audio":
    case "file":
    case "image":
    case "opaque":
    case "result":
    case "video":
      return
  }
}

const omitKind = (part: ReasoningPart): Omit<ReasoningPart, "extra" | "type"> => {
  const { extra: _, type: __, ...fields } = part
  return fields
}

/** Signatures of calls and texts travel in items of their own, as they do in the details of a chat. */
const addSignature = (
  output: ResponseOutput,
  signature: Signature | undefined,
  key: number,
  id?: string
): void => {
  if (signature === undefined) return
  output.addReasoning({
    key: `signature ${key}`,
    format: signature.format,
    encrypted: signature.value,
    ...(id === undefined ? undefined : { id })
  })
}
