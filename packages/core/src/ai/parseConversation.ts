/** Parses the prompt and the options of a language model as a conversation. */
import * as AiError from "effect/ai/AiError"
import type * as LanguageModel from "effect/ai/LanguageModel"
import { toCodecOpenAI } from "effect/ai/OpenAiStructuredOutput"
import * as Tool from "effect/ai/Tool"
import * as Effect from "effect/Effect"
import * as SchemaAST from "effect/SchemaAST"
import type {
  AnswerFormat,
  Conversation,
  FunctionTool,
  ToolChoice
} from "../conversation/Conversation.ts"
import { omitUndefined } from "../values/ownFields.ts"
import { parsePrompt } from "./parsePrompt.ts"
import type { ErrorOrigin } from "./toAiError.ts"

/**
 * Schemas of objects are restricted to what strict modes take, so that any provider may answer. The language model is made
 * with the same transformer, which reads the answers.
 */
export const codecTransformer: LanguageModel.CodecTransformer = toCodecOpenAI

interface ConversationOptions {
  /** Whether an object follows its schema exactly. */
  readonly isStrict: boolean
  /** Named in errors. */
  readonly origin: ErrorOrigin
}

export const parseConversation = (
  { prompt, responseFormat, toolChoice, tools }: LanguageModel.ProviderOptions,
  { isStrict, origin }: ConversationOptions
): Effect.Effect<Conversation, AiError.AiError> =>
  Effect.map(
    Effect.all([
      Effect.forEach(tools, (tool) => parseTool(tool, origin)),
      parseFormat(responseFormat, isStrict, origin)
    ]),
    ([parsedTools, format]): Conversation => ({
      turns: parsePrompt(prompt),
      tools: parsedTools,
      sampling: {},
      stop: [],
      ...(parsedTools.length === 0 ? undefined : { toolChoice: parseToolChoice(toolChoice) }),
      ...(format === undefined ? undefined : { format })
    })
  )

const parseTool = (
  tool: Tool.Any,
  origin: ErrorOrigin
): Effect.Effect<FunctionTool, AiError.AiError> =>
  Tool.isProviderDefined(tool)
    ? Effect.fail(
        AiError.make({
          ...origin,
          reason: new AiError.InvalidUserInputError({
            description:
              `The tool ${tool.name} belongs to one provider, and any provider may answer. ` +
              "Define it with Tool.make, or use the layer of that provider"
          })
        })
      )
    : Effect.map(
        trySchema(() => Tool.getJsonSchema(tool), origin),
        (parameters) => ({
          type: "function",
          name: tool.name,
          // Some providers refuse an object without them.
          parameters: { properties: {}, ...parameters },
          ...omitUndefined({
            description: Tool.getDescription(tool),
            strict: Tool.getStrictMode(tool)
          })
        })
      )

/** The list of tools is already limited to those of the choice. */
const parseToolChoice = (choice: LanguageModel.ToolChoice<string>): ToolChoice => {
  if (typeof choice === "string") return { type: choice }
  return "tool" in choice ? { type: "tool", name: choice.tool } : { type: choice.mode ?? "auto" }
}

const parseFormat = (
  format: LanguageModel.ProviderOptions["responseFormat"],
  isStrict: boolean,
  origin: ErrorOrigin
): Effect.Effect<AnswerFormat | undefined, AiError.AiError> =>
  format.type === "text"
    ? Effect.undefined
    : Effect.map(
        trySchema(
          () => Tool.getJsonSchemaFromSchema(format.schema, { transformer: codecTransformer }),
          origin
        ),
        (schema): AnswerFormat => ({
          type: "schema",
          name: format.objectName,
          schema,
          strict: isStrict,
          ...omitUndefined({ description: SchemaAST.resolveDescription(format.schema.ast) })
        })
      )

const trySchema = <A>(toSchema: () => A, origin: ErrorOrigin): Effect.Effect<A, AiError.AiError> =>
  Effect.try({
    try: toSchema,
    catch: (error) =>
      AiError.make({
        ...origin,
        reason: new AiError.UnsupportedSchemaError({
          description: error instanceof Error ? error.message : String(error)
        })
      })
  })
