/** Fits the parameters of a chat to the server and the model that get them. */
import type { ChatCall } from "../../engine/upstreams/ChatCapability.ts"
import { isObject, toList } from "../../values/json/guards.ts"
import { replaceFields, type RequestChanges } from "../RequestChanges.ts"
import { isEmpty } from "../UntranslatableRequest.ts"
import { roundEffort } from "../reasoningEffort.ts"
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
): Parameters => {
  const reasoned = fitReasoning(parameters, call, model, changes)
  const chosen = fitSchemas(fitTools(reasoned, model, changes), model, changes)
  return fitForm(fitDrawing(chosen, model, changes), model, changes)
}

/** How the next words are drawn, and what ends them. */
const fitDrawing = (
  parameters: Parameters,
  { maxStop, takesSampling = true }: ChatServerModel,
  changes: RequestChanges
): Parameters => {
  const { stop } = parameters
  const fields: Record<string, unknown> = {}
  if (maxStop !== undefined && Array.isArray(stop) && stop.length > maxStop) {
    changes.add(["stop"])
    fields["stop"] = stop.slice(0, maxStop)
  }
  for (const name of takesSampling ? [] : samplingNames) {
    if (parameters[name] === undefined) continue
    changes.add([name])
    fields[name] = undefined
  }
  return isEmpty(fields) ? parameters : replaceFields(parameters, fields)
}

const samplingNames = ["temperature", "top_p", "presence_penalty", "frequency_penalty"] as const

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

/** The format of the answer, the functions, and what is stored with it. */
const fitForm = (
  parameters: Parameters,
  {
    needsParameters = false,
    takesAnyJson = true,
    takesLooseMetadata = true,
    takesSchemas = true
  }: ChatServerModel,
  changes: RequestChanges
): Parameters => {
  const { metadata, response_format: format, store, tools } = parameters
  const fields: Record<string, unknown> = {}
  if (!takesLooseMetadata && metadata !== undefined && store !== true) {
    if (!isObject(metadata) || !isEmpty(metadata)) changes.add(["metadata"])
    fields["metadata"] = undefined
  }
  if (!takesSchemas && isObject(format) && format["type"] === "json_schema") {
    changes.add(["response_format"])
    fields["response_format"] = { type: "json_object" }
  }
  if (!takesAnyJson && isObject(format) && format["type"] === "json_object") {
    fields["response_format"] = anyObject
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

/** Any object, said as a schema. */
const anyObject = {
  type: "json_schema",
  json_schema: { name: "object", schema: { type: "object" } }
}

const lacksParameters = (
  tool: unknown
): tool is { readonly function: Readonly<Record<string, unknown>> } =>
  isObject(tool) && isObject(tool["function"]) && !isObject(tool["function"]["parameters"])

const noArguments = { type: "object", properties: {} }

/** The schemas of functions as the server takes them. */
const fitSchemas = (
  parameters: Parameters,
  { fitSchema }: ChatServerModel,
  changes: RequestChanges
): Parameters => {
  const { tools } = parameters
  if (fitSchema === undefined || !Array.isArray(tools)) return parameters
  const fitted = tools.map((tool: unknown, at): unknown => {
    const called = isObject(tool) ? tool["function"] : undefined
    if (!isObject(tool) || !isObject(called) || !isObject(called["parameters"])) return tool
    const schema = fitSchema(called["parameters"])
    if (schema === called["parameters"]) return tool
    changes.add(["tools", at])
    return { ...tool, function: { ...called, parameters: schema } }
  })
  return fitted.some((tool, at) => tool !== tools[at])
    ? replaceFields(parameters, { tools: fitted })
    : parameters
}

/** A choice that the server does not know becomes one of fewer tools, which says the same. */
const fitTools = (
  parameters: Parameters,
  { takesAllowedTools, takesNamedTool }: ChatServerModel,
  changes: RequestChanges
): Parameters => {
  const { tool_choice: choice, tools } = parameters
  if (!isObject(choice) || !Array.isArray(tools)) return parameters
  const { allowed_tools: allowed, type } = choice
  if (type === "allowed_tools" && takesAllowedTools !== true && isObject(allowed)) {
    const mode = allowed["mode"] === "required" ? "required" : "auto"
    return offer(parameters, toList(allowed["tools"]), mode, changes)
  }
  return takesNamedTool === false && findName(choice) !== undefined
    ? offer(parameters, [choice], "required", changes)
    : parameters
}

const offer = (
  parameters: Parameters,
  chosen: ReadonlyArray<unknown>,
  mode: string,
  changes: RequestChanges
): Parameters => {
  const names = new Set(chosen.map(findName))
  changes.add(["tool_choice"])
  return replaceFields(parameters, {
    tool_choice: mode,
    tools: toList(parameters["tools"]).filter((tool) => names.has(findName(tool)))
  })
}

const findName = (tool: unknown): unknown => {
  if (!isObject(tool)) return undefined
  const { custom, function: called } = tool
  return isObject(called) ? called["name"] : isObject(custom) ? custom["name"] : undefined
}
