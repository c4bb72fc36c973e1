/** Passes on a request to Anthropic's Messages API unchanged, except for parts that the endpoint would refuse. */
import * as Result from "effect/Result"
import { isObject } from "../../values/json/guards.ts"
import { replaceFields, RequestChanges } from "../RequestChanges.ts"
import {
  failTranslation,
  isEmpty,
  RequestProblems,
  type UntranslatableRequest
} from "../UntranslatableRequest.ts"
import type { NativeCall } from "../makeDialectChat.ts"
import { omitUnsupported, outputCap, type ParameterNames, supports } from "../omitUnsupported.ts"
import type { MessagesModel } from "./MessagesModel.ts"
import { parseThinkingSettings } from "./parseThinkingSettings.ts"
import { passSystem, passTurns } from "./passTurns.ts"
import { declareCalledTools, unforcedProblem } from "./writeMessagesTools.ts"
import { fitEffort, writeThinkingSettings } from "./writeThinkingSettings.ts"

type Json = Readonly<Record<string, unknown>>
type Path = ReadonlyArray<number | string>

export interface MessagesPassOptions {
  /** Sent in the body instead of the model, which the URL names. */
  readonly bodyVersion?: string | undefined
  /** Whether images and documents may be URLs. */
  readonly takesUrls: boolean
  /** Collects the fields that are sent in another form than the caller's; absent: changes are not reported. */
  readonly changes?: RequestChanges
  /** Features of the model; absent: unknown, and its settings are passed on. */
  readonly model?: MessagesModel
}

/**
 * Left out are thinking that Anthropic did not sign, and texts of white space alone, with messages that hold nothing else.
 * Tools that were called, where none is offered any more, are declared and cannot be called again.
 */
export const passOnMessages = (
  given: Json,
  { isStreamed, maxOutputTokens, model, supportedParameters }: NativeCall,
  { bodyVersion, changes = new RequestChanges(), model: facts, takesUrls }: MessagesPassOptions
): Result.Result<Json, UntranslatableRequest> => {
  const fitted = fitThinking(given, facts, maxOutputTokens, changes)
  if (Result.isFailure(fitted)) return Result.fail(fitted.failure)
  const body = fitted.success
  const { max_tokens: cap, messages, output_config: output, stream, system } = body
  const url = takesUrls ? undefined : findUrl(messages, ["messages"])
  if (url !== undefined) {
    return failTranslation(url, "is a URL, which this provider does not take; send base64")
  }
  const passedOutput = isObject(output)
    ? omitUnsupported(output, outputNames, supportedParameters)
    : output
  const fields: Record<string, unknown> =
    bodyVersion === undefined ? { model } : { model: undefined, anthropic_version: bodyVersion }
  if (isStreamed !== (stream === true)) fields["stream"] = isStreamed
  // The API requires one.
  if (cap === undefined || !supports(supportedParameters, outputCap)) {
    fields["max_tokens"] = maxOutputTokens
  }
  if (passedOutput !== output) {
    fields["output_config"] =
      isObject(passedOutput) && isEmpty(passedOutput) ? undefined : passedOutput
  }
  const passedSystem = passSystem(system, changes)
  if (passedSystem !== system) fields["system"] = passedSystem
  if (Array.isArray(messages)) {
    const passed = passTurns(messages, changes)
    if (passed !== messages) fields["messages"] = passed
    // The first message has no calls.
    const mayCall = messages.length > 1 && !offersTools(body["tools"])
    const called = mayCall ? declareCalledTools(messages) : undefined
    if (called !== undefined && called.length > 0) {
      fields["tools"] = called
      fields["tool_choice"] = { type: "none" }
      changes.add(["tools"])
    }
  }
  if (facts?.takesSampling === false && facts.isKnown) {
    for (const name of samplingNames) {
      if (body[name] === undefined) continue
      fields[name] = undefined
      changes.add([name])
    }
  }
  return Result.succeed(
    replaceFields(omitUnsupported(body, parameterNames, supportedParameters), fields)
  )
}

const offersTools = (tools: unknown): boolean =>
  (tools ?? undefined) !== undefined && !(Array.isArray(tools) && tools.length === 0)

const samplingNames = ["temperature", "top_k", "top_p"] as const

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

/** The path of the first URL of a medium: also in the results of tools, and in documents of several blocks. */
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

/**
 * Returns the same body where the model takes it. Fails for a forced call if the model refuses forced calls even
 * without thinking.
 */
const fitThinking = (
  body: Json,
  model: MessagesModel | undefined,
  cap: number,
  changes: RequestChanges
): Result.Result<Json, UntranslatableRequest> => {
  if (model === undefined || !model.isKnown) return Result.succeed(body)
  const isForced = isForcedChoice(body["tool_choice"])
  if (isForced && model.forcedTools === "never") {
    return failTranslation(["tool_choice"], unforcedProblem)
  }
  const thinking = fitSettings(body, model, isForced, cap, changes)
  const fitted = thinking === body["thinking"] ? body : replaceFields(body, { thinking })
  const output = body["output_config"]
  if (!isObject(output)) return Result.succeed(fitted)
  const isOff = isObject(thinking) && thinking["type"] === "disabled"
  const passed = fitEffort(
    output,
    (isOff ? model.unthinkingEfforts : undefined) ?? model.efforts,
    changes
  )
  return Result.succeed(
    passed === output
      ? fitted
      : replaceFields(fitted, { output_config: isEmpty(passed) ? undefined : passed })
  )
}

const isForcedChoice = (choice: unknown): boolean =>
  isObject(choice) && (choice["type"] === "any" || choice["type"] === "tool")

const fitSettings = (
  body: Json,
  { forcedTools, thinking: forms }: MessagesModel,
  isForced: boolean,
  cap: number,
  changes: RequestChanges
): unknown => {
  const { thinking } = body
  const type = isObject(thinking) ? thinking["type"] : undefined
  const isOn = type === "adaptive" || type === "enabled"
  if (isForced && isOn && (forcedTools !== "always" || type === "enabled") && forms.disabled) {
    changes.add(["thinking"])
    return { type: "disabled" }
  }
  const isTaken =
    (type !== "adaptive" || forms.adaptive) &&
    (type !== "enabled" || forms.budget) &&
    (type !== "disabled" || forms.disabled)
  if (isTaken) return thinking
  changes.add(["thinking"])
  const { reasoning } = parseThinkingSettings(body, new RequestProblems())
  const { thinking: written } = writeThinkingSettings(reasoning, {
    forms,
    cap,
    isForced,
    forcedTools,
    // The change is already reported above, under the name of the field in this dialect.
    changes: new RequestChanges()
  })
  return written
}
