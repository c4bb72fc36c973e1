/** Passes on a request to Anthropic's Messages API as its caller wrote it, but for what the endpoint would refuse. */
import * as Result from "effect/Result"
import { isObject } from "../../values/json/isObject.ts"
import { failTranslation } from "../failTranslation.ts"
import { foreignPrefix } from "../foreignReasoning.ts"
import type { NativeCall } from "../makeDialectChat.ts"
import { omitUnsupported, outputCap, type ParameterNames, supports } from "../omitUnsupported.ts"
import { isEmpty } from "../readField.ts"
import { replaceFields } from "../replaceFields.ts"
import type { UntranslatableRequest } from "../UntranslatableRequest.ts"

type Json = Readonly<Record<string, unknown>>
type Path = ReadonlyArray<number | string>

export interface MessagesPassOptions {
  /** Sent in the body instead of the model, which the URL names. */
  readonly bodyVersion?: string | undefined
  /** Whether images and documents may be URLs. */
  readonly takesUrls: boolean
}

/** Left out is thinking that Anthropic did not sign, with messages that hold nothing else. */
export const passOnMessages = (
  body: Json,
  { isStreamed, maxOutputTokens, model, supportedParameters }: NativeCall,
  { bodyVersion, takesUrls }: MessagesPassOptions
): Result.Result<Json, UntranslatableRequest> => {
  const { max_tokens: cap, messages, output_config: output, stream } = body
  const url = takesUrls ? undefined : findUrl(messages, ["messages"])
  if (url !== undefined) {
    return failTranslation(url, "is a URL, which this provider does not take; send base64")
  }
  const passedOutput = isObject(output)
    ? omitUnsupported(output, outputNames, supportedParameters)
    : output
  return Result.succeed(
    replaceFields(omitUnsupported(body, parameterNames, supportedParameters), {
      ...(bodyVersion === undefined
        ? { model }
        : { model: undefined, anthropic_version: bodyVersion }),
      ...(isStreamed === (stream === true) ? undefined : { stream: isStreamed }),
      // The API requires one.
      ...(cap === undefined || !supports(supportedParameters, outputCap)
        ? { max_tokens: maxOutputTokens }
        : undefined),
      ...(passedOutput === output
        ? undefined
        : {
            output_config:
              isObject(passedOutput) && isEmpty(passedOutput) ? undefined : passedOutput
          }),
      ...(Array.isArray(messages) ? { messages: messages.flatMap(passMessage) } : undefined)
    })
  )
}

const parameterNames: ParameterNames = new Map([
  ["cache_control", "cache_control"],
  ["output_format", "response_format"],
  ["service_tier", "service_tier"],
  ["stop_sequences", "stop"],
  ["temperature", "temperature"],
  ["thinking", "reasoning"],
  ["tool_choice", "tools"],
  ["tools", "tools"],
  ["top_k", "top_k"],
  ["top_p", "top_p"]
])

const outputNames: ParameterNames = new Map([
  ["effort", "reasoning"],
  ["format", "response_format"]
])

/** A message without content is rejected by the API. */
const passMessage = (message: unknown): ReadonlyArray<unknown> => {
  if (!isObject(message) || !Array.isArray(message["content"])) return [message]
  const { content } = message
  const kept = content.filter((block: unknown) => !isUnreadable(block))
  if (kept.length === content.length) return [message]
  return kept.length === 0 ? [] : [replaceFields(message, { content: kept })]
}

const isUnreadable = (block: unknown): boolean => {
  if (!isObject(block)) return false
  const { data, signature, type } = block
  if (type !== "thinking" && type !== "redacted_thinking") return false
  const proof = type === "thinking" ? signature : data
  return typeof proof !== "string" || proof === "" || proof.startsWith(foreignPrefix)
}

/** Where the first URL of a medium is: also in the results of tools, and in documents of several blocks. */
const findUrl = (list: unknown, path: Path): Path | undefined => {
  if (!Array.isArray(list)) return undefined
  for (const [index, item] of list.entries()) {
    if (!isObject(item)) continue
    const { content, source } = item
    if (isObject(source) && source["type"] === "url") return [...path, index, "source"]
    const found =
      findUrl(content, [...path, index, "content"]) ??
      (isObject(source)
        ? findUrl(source["content"], [...path, index, "source", "content"])
        : undefined)
    if (found !== undefined) return found
  }
  return undefined
}
