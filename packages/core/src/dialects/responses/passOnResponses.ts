/** Passes on a request of OpenAI's Responses API unchanged, except for parts that the endpoint would refuse. */
import { isObject } from "../../values/json/guards.ts"
import { type ReasoningFamily, foreignPrefix, getReasoningFamily } from "../reasoningFamily.ts"
import { roundEffort } from "../reasoningEffort.ts"
import type { NativeCall } from "../makeDialectChat.ts"
import { omitUnsupported, outputCap, type ParameterNames, supports } from "../omitUnsupported.ts"
import { isEmpty } from "../UntranslatableRequest.ts"
import { replaceFields, type RequestChanges } from "../RequestChanges.ts"
import { findNonEmptyText, type Json } from "./fields.ts"
import { openaiFormat, parseReasoningItem } from "./parseReasoningItem.ts"
import { toOutput, toText } from "./parseInput.ts"
import { outputLogprobs } from "./parseRequest.ts"
import { writeReasoningItem } from "./writeInput.ts"

/** Features of the endpoint's model. */
export interface ResponsesPassOptions {
  /** The efforts that it takes; absent: unknown, and every one is passed on. */
  readonly efforts?: ReadonlyArray<string> | undefined
  /** Whether requests may ask for reasoning. Default true. */
  readonly takesReasoning?: boolean
  /** Collects the fields that are sent in another form than the caller's; absent: changes are not reported. */
  readonly changes?: RequestChanges | undefined
}

/** Undefined: it is left out. */
const passReasoning = (
  reasoning: Json,
  efforts: ReadonlyArray<string> | undefined,
  takesReasoning: boolean,
  changes: RequestChanges | undefined
): Json | undefined => {
  if (takesReasoning) {
    const fitted = fitReasoning(reasoning, efforts, changes)
    return isEmpty(fitted) && !isEmpty(reasoning) ? undefined : fitted
  }
  if (isEmpty(reasoning)) return reasoning
  if (reasoning["effort"] !== "none") changes?.add(["reasoning"])
  return undefined
}

/**
 * Fits the effort of a request to the model that gets it. `known`: the efforts that the model takes; empty: it
 * refuses requests that set an effort. The nearest of them is sent. When it differs from the caller's, its path is
 * added to `changes`.
 */
export const fitReasoning = (
  reasoning: Json,
  known: ReadonlyArray<string> | undefined,
  changes: RequestChanges | undefined
): Json => {
  const { effort, ...rest } = reasoning
  if (typeof effort !== "string" || known === undefined) return reasoning
  const fitted = known.length === 0 ? undefined : roundEffort(effort, known)
  if (fitted === effort) return reasoning
  changes?.add(["reasoning", "effort"])
  return fitted === undefined ? rest : { ...rest, effort: fitted }
}

/** The provider stores nothing, so reasoning that it cannot read or would have to look up is left out. */
export const passOnResponses = (
  body: Json,
  { isStreamed, model, serviceTier, supportedParameters }: NativeCall,
  family: ReasoningFamily,
  { changes, efforts, takesReasoning = true }: ResponsesPassOptions = {}
): Json => {
  const { include, input, reasoning, store, stream, text } = body
  const passedReasoning =
    isObject(reasoning) && supports(supportedParameters, "reasoning")
      ? passReasoning(reasoning, efforts, takesReasoning, changes)
      : reasoning
  const passedText = isObject(text) ? omitUnsupported(text, textNames, supportedParameters) : text
  const dropsLogprobs = Array.isArray(include) && !supports(supportedParameters, "logprobs")
  return replaceFields(omitUnsupported(body, parameterNames, supportedParameters), {
    model,
    ...(isStreamed === (stream === true) ? undefined : { stream: isStreamed }),
    ...(store === false ? undefined : { store: false }),
    ...(serviceTier === undefined ? undefined : { service_tier: serviceTier }),
    ...(passedReasoning === reasoning ? undefined : { reasoning: passedReasoning }),
    ...(passedText === text
      ? undefined
      : { text: isObject(passedText) && isEmpty(passedText) ? undefined : passedText }),
    ...(dropsLogprobs ? { include: include.filter((name) => name !== outputLogprobs) } : undefined),
    ...(Array.isArray(input)
      ? {
          input: input.flatMap((item: unknown, at) => {
            const passed = passItem(item, family)
            if (passed.length === 0 && saysSomething(item)) changes?.add(["input", at])
            return passed
          })
        }
      : undefined)
  })
}

const parameterNames: ParameterNames = new Map([
  ["cache_control", "cache_control"],
  ["frequency_penalty", "frequency_penalty"],
  ["max_output_tokens", outputCap],
  ["max_tool_calls", "tools"],
  ["parallel_tool_calls", "tools"],
  ["presence_penalty", "presence_penalty"],
  ["prompt_cache_key", "prompt_cache_key"],
  ["prompt_cache_options", "prompt_cache_options"],
  ["prompt_cache_retention", "prompt_cache_retention"],
  ["reasoning", "reasoning"],
  ["safety_identifier", "safety_identifier"],
  ["service_tier", "service_tier"],
  ["temperature", "temperature"],
  ["tool_choice", "tools"],
  ["tools", "tools"],
  ["top_k", "top_k"],
  ["top_logprobs", "top_logprobs"],
  ["top_p", "top_p"]
])

const textNames: ParameterNames = new Map([
  ["format", "response_format"],
  ["verbosity", "verbosity"]
])

const withText = (item: Json, name: string, value: unknown): Json =>
  value === item[name] || value === undefined ? item : { ...item, [name]: value }

/** Reasoning that is only referred to, or has no text, says nothing of its own. */
const saysSomething = (item: unknown): boolean =>
  isObject(item) && (isFilled(item["summary"]) || isFilled(item["content"]))

const isFilled = (list: unknown): boolean => Array.isArray(list) && list.length > 0

/** Reasoning that was wrapped because the provider is not OpenAI itself returns in the provider's own form. */
const passItem = (item: unknown, family: ReasoningFamily): ReadonlyArray<unknown> => {
  if (!isObject(item)) return [item]
  const { encrypted_content, id, type } = item
  if (type === "item_reference") return typeof id === "string" && id.startsWith("rs_") ? [] : [item]
  if (type === "function_call") return [withText(item, "arguments", toText(item["arguments"]))]
  if (type === "function_call_output") return [withText(item, "output", toOutput(item["output"]))]
  if (type !== "reasoning") return [item]
  const encrypted = findNonEmptyText(encrypted_content)
  if (encrypted === undefined) return []
  if (!encrypted.startsWith(foreignPrefix)) return [item]
  return writeReasoningItem(
    parseReasoningItem(item, openaiFormat).filter(
      ({ format }) => getReasoningFamily(format) === family
    )
  )
}
