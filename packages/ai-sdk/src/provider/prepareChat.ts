/** Makes a conversation of a call of the AI SDK. */
import type {
  JSONValue,
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4ProviderTool
} from "@ai-sdk/provider"
import type { CallerConfig } from "@signalbox/core"
import type { AnswerFormat, Conversation, Tool } from "@signalbox/core/dialects"
import { isObject } from "../isObject.ts"
import { CallWarnings } from "./CallWarnings.ts"
import { parsePrompt } from "./parsePrompt.ts"
import { optionsKey, readOptions, refuse } from "./readOptions.ts"
import { readPartOptions } from "./readPartOptions.ts"
import { chatOptionNames } from "./SignalboxOptions.ts"

/** A call in the words of Signalbox. */
export interface PreparedChat {
  readonly conversation: Conversation
  /** What the conversation does not say; Signalbox checks it. */
  readonly fields: Readonly<Record<string, unknown>>
  /** Undefined: the caller of the provider. */
  readonly caller: CallerConfig | undefined
  readonly warnings: CallWarnings
}

export const prepareChat = (model: string, options: LanguageModelV4CallOptions): PreparedChat => {
  const warnings = new CallWarnings()
  warnings.checkHeaders(options.headers)
  const {
    caller,
    strictJsonSchema = true,
    ...rest
  } = readOptions(options.providerOptions, chatOptionNames)
  if (typeof strictJsonSchema !== "boolean") {
    throw refuse(`providerOptions.${optionsKey}.strictJsonSchema`, "must be true or false")
  }
  return {
    conversation: toConversation(options, strictJsonSchema, warnings),
    fields: { ...rest, ...toReasoning(options.reasoning, rest["reasoning"]), model },
    caller: caller as CallerConfig | undefined,
    warnings
  }
}

const toConversation = (
  options: LanguageModelV4CallOptions,
  strict: boolean,
  warnings: CallWarnings
): Conversation => {
  const { maxOutputTokens, prompt, responseFormat, stopSequences, toolChoice, tools } = options
  const { frequencyPenalty, presencePenalty, seed, temperature, topK, topP } = options
  const choice =
    toolChoice?.type === "tool"
      ? ({ type: "tool", name: toolChoice.toolName } as const)
      : toolChoice
  return {
    turns: parsePrompt(prompt, warnings),
    tools: tools?.flatMap((tool, index) => parseTool(tool, index, warnings)) ?? [],
    ...(choice === undefined ? undefined : { toolChoice: choice }),
    ...(maxOutputTokens === undefined ? undefined : { maxOutputTokens }),
    sampling: {
      ...(frequencyPenalty === undefined ? undefined : { frequencyPenalty }),
      ...(presencePenalty === undefined ? undefined : { presencePenalty }),
      ...(seed === undefined ? undefined : { seed }),
      ...(temperature === undefined ? undefined : { temperature }),
      ...(topK === undefined ? undefined : { topK }),
      ...(topP === undefined ? undefined : { topP })
    },
    stop: stopSequences ?? [],
    ...toFormat(responseFormat, strict)
  }
}

const toFormat = (
  format: LanguageModelV4CallOptions["responseFormat"],
  strict: boolean
): { readonly format: AnswerFormat } | undefined => {
  if (format?.type !== "json") return undefined
  const { description, name, schema } = format
  if (schema === undefined) return { format: { type: "json" } }
  return {
    format: {
      type: "schema",
      schema: { ...schema },
      strict,
      ...(name === undefined ? undefined : { name }),
      ...(description === undefined ? undefined : { description })
    }
  }
}

/** The effort of the call replaces the effort in the options; other reasoning options stay. */
const toReasoning = (
  effort: LanguageModelV4CallOptions["reasoning"],
  settings: JSONValue | undefined
): { readonly reasoning: object } | undefined => {
  if (effort === undefined || effort === "provider-default") return undefined
  return { reasoning: { ...(isObject(settings) ? settings : undefined), effort } }
}

const parseTool = (
  tool: LanguageModelV4FunctionTool | LanguageModelV4ProviderTool,
  index: number,
  warnings: CallWarnings
): ReadonlyArray<Tool> => {
  if (tool.type === "provider") return parseProviderTool(tool, warnings)
  const { description, inputExamples, inputSchema, name, providerOptions, strict } = tool
  const { cache } = readPartOptions(providerOptions, `tools.${index}`)
  if (inputExamples !== undefined) {
    warnings.unsupported(`input examples of the tool ${name}`, "Put them into its description.")
  }
  return [
    {
      type: "function",
      name,
      parameters: { ...inputSchema },
      ...(description === undefined ? undefined : { description }),
      ...(strict === undefined ? undefined : { strict }),
      ...(cache === undefined ? undefined : { cache })
    }
  ]
}

/** Tools of OpenRouter's API, such as `openrouter.web_search`, run at providers with this API. */
const parseProviderTool = (
  { args, id }: LanguageModelV4ProviderTool,
  warnings: CallWarnings
): ReadonlyArray<Tool> => {
  const [family, ...name] = id.split(".")
  if (family === "openrouter") {
    const raw = {
      type: `openrouter:${name.join(".")}`,
      ...(Object.keys(args).length === 0 ? undefined : { parameters: args })
    }
    return [{ type: "server", dialect: "chat", raw }]
  }
  warnings.unsupported(
    `provider tool ${id}`,
    "A call may be answered by any provider, so it has function tools only."
  )
  return []
}
