/** Fits the parameters of a chat to the server and the model that get them. */
import { isObject } from "../../values/json/isObject.ts"
import type { ChatCall } from "../../engine/upstreams/ChatCapability.ts"
import { isEmpty } from "../readField.ts"
import { replaceFields } from "../replaceFields.ts"
import type { RequestChanges } from "../RequestChanges.ts"
import { roundEffort } from "../roundEffort.ts"
import type { ChatServerModel } from "./ChatServerModel.ts"
import { reasoningNames, renameReasoning } from "./reasoningParameters.ts"

/** The messages may stand among them. */
type Parameters = Readonly<Record<string, unknown>>

/** The same parameters where the server takes them as they are. */
export const fitParameters = (
  parameters: Parameters,
  call: ChatCall,
  model: ChatServerModel,
  changes: RequestChanges
): Parameters => fitForm(fitReasoning(parameters, call, model, changes), model, changes)

const fitReasoning = (
  parameters: Parameters,
  { efforts, maxOutputTokens, native, supportedParameters }: ChatCall,
  model: ChatServerModel,
  changes: RequestChanges
): Parameters => {
  const asks = reasoningNames.some((name) => Object.hasOwn(parameters, name))
  const { forcesWhileThinking = true, isReasoning, reasoningParameters = [] } = model
  if (!forcesWhileThinking && isForced(parameters["tool_choice"])) {
    return {
      ...(asks ? omitReasoning(parameters, changes) : parameters),
      thinking: { type: "disabled" }
    }
  }
  if (!asks) return parameters
  if (isReasoning === false) return omitReasoning(parameters, changes)
  // A list has been asked for its names already.
  const named =
    supportedParameters === undefined
      ? renameReasoning(parameters, reasoningParameters, {
          cap: maxOutputTokens,
          isTranslated: native.dialect !== "chat",
          changes
        })
      : parameters
  return fitEfforts(named, efforts ?? model.efforts, changes)
}

/** A model that does not reason is as it was asked to be by who turns reasoning off. */
const omitReasoning = (parameters: Parameters, changes: RequestChanges): Parameters => {
  for (const name of reasoningNames) {
    if (Object.hasOwn(parameters, name) && !asksForNone(parameters[name])) changes.add([name])
  }
  return replaceFields(
    parameters,
    Object.fromEntries(reasoningNames.map((name) => [name, undefined]))
  )
}

const asksForNone = (wish: unknown): boolean =>
  wish === "none" ||
  wish === null ||
  (isObject(wish) &&
    (wish["effort"] === "none" || wish["enabled"] === false || wish["type"] === "disabled"))

const fitEfforts = (
  parameters: Parameters,
  known: ReadonlyArray<string> | undefined,
  changes: RequestChanges
): Parameters => {
  if (known === undefined) return parameters
  const { reasoning, reasoning_effort: effort } = parameters
  const fields: Record<string, unknown> = {}
  if (typeof effort === "string") {
    const fitted = fit(effort, known)
    if (fitted !== effort) {
      changes.add(["reasoning_effort"])
      fields["reasoning_effort"] = fitted
    }
  }
  if (isObject(reasoning) && typeof reasoning["effort"] === "string") {
    const fitted = fit(reasoning["effort"], known)
    if (fitted !== reasoning["effort"]) {
      changes.add(["reasoning", "effort"])
      const rest = replaceFields(reasoning, { effort: fitted })
      fields["reasoning"] = isEmpty(rest) ? undefined : rest
    }
  }
  return isEmpty(fields) ? parameters : replaceFields(parameters, fields)
}

/** Undefined: the model refuses requests that set an effort. */
const fit = (effort: string, known: ReadonlyArray<string>): string | undefined =>
  known.length === 0 ? undefined : roundEffort(effort, known)

const isForced = (choice: unknown): boolean =>
  choice === "required" ||
  (isObject(choice) &&
    (choice["type"] !== "allowed_tools" ||
      (isObject(choice["allowed_tools"]) && choice["allowed_tools"]["mode"] === "required")))

/** The format of the answer, and the functions. */
const fitForm = (
  parameters: Parameters,
  { needsParameters = false, takesSchemas = true }: ChatServerModel,
  changes: RequestChanges
): Parameters => {
  const { response_format: format, tools } = parameters
  const fields: Record<string, unknown> = {}
  if (!takesSchemas && isObject(format) && format["type"] === "json_schema") {
    changes.add(["response_format"])
    fields["response_format"] = { type: "json_object" }
  }
  if (needsParameters && Array.isArray(tools) && tools.some(lacksParameters)) {
    fields["tools"] = tools.map((tool: unknown) =>
      lacksParameters(tool)
        ? { ...tool, function: { ...tool.function, parameters: noArguments } }
        : tool
    )
  }
  return isEmpty(fields) ? parameters : replaceFields(parameters, fields)
}

const lacksParameters = (
  tool: unknown
): tool is { readonly function: Readonly<Record<string, unknown>> } =>
  isObject(tool) && isObject(tool["function"]) && !isObject(tool["function"]["parameters"])

const noArguments = { type: "object", properties: {} }
