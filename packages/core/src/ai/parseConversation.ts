/** Parses the prompt and the options of a language model as a conversation. */
import * as Effect from "effect/Effect"
import * as SchemaAST from "effect/SchemaAST"
import * as AiError from "effect/ai/AiError"
import type * as LanguageModel from "effect/ai/LanguageModel"
import { toCodecOpenAI } from "effect/ai/OpenAiStructuredOutput"
import type * as Prompt from "effect/ai/Prompt"
import * as Tool from "effect/ai/Tool"
import * as Base64 from "effect/encoding/Base64"
import type {
  AnswerFormat,
  Conversation,
  FunctionTool,
  ToolChoice,
  Turn
} from "../conversation/Conversation.ts"
import type { MediaSource, Part, ResultPart } from "../conversation/Part.ts"
import { parseMediaUrl } from "../conversation/parseMediaUrl.ts"
import { findImageType } from "../dialects/mediaType.ts"
import { parsePartOptions } from "../dialects/parts/partMetadata.ts"
import { addReasoning, toCallPart, toMediaPart, toTextPart } from "../dialects/parts/promptParts.ts"
import { omitUndefined } from "../values/ownFields.ts"
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

/** Parses the prompt of a language model as the turns of a conversation. */
export const parsePrompt = ({ content }: Prompt.Prompt): ReadonlyArray<Turn> =>
  content.flatMap(parseMessage)

const parseMessage = (message: Prompt.Message): ReadonlyArray<Turn> => {
  switch (message.role) {
    case "system": {
      const text = toTextPart(message.content, parsePartOptions(message.options.signalbox))
      return [{ role: "system", parts: [text] }]
    }
    case "user":
      return [{ role: "user", parts: message.content.map(parseShownPart) }]
    case "assistant":
      return parseAssistantTurns(message.content)
    case "tool": {
      const parts = message.content.flatMap((part) =>
        part.type === "tool-result" ? [parseResult(part)] : []
      )
      return parts.length === 0 ? [] : [{ role: "tool", parts }]
    }
  }
}

const parseShownPart = (part: Prompt.FilePart | Prompt.TextPart): Part =>
  part.type === "text"
    ? toTextPart(part.text, parsePartOptions(part.options.signalbox))
    : parseFile(part)

const parseFile = ({ data, fileName: filename, mediaType, options }: Prompt.FilePart) =>
  toMediaPart(
    parseFileSource({ data, mediaType }),
    { mediaType, filename },
    parsePartOptions(options.signalbox)
  )

/** A result of a tool that a provider ran follows its call in the same message; it becomes a turn of its own. */
const parseAssistantTurns = (
  content: ReadonlyArray<Prompt.AssistantMessagePart>
): ReadonlyArray<Turn> => {
  const turns: Array<Turn> = []
  let said: Array<Part> = []
  const flush = () => {
    if (said.length > 0) turns.push({ role: "assistant", parts: said })
    said = []
  }
  for (const part of content) {
    switch (part.type) {
      case "text":
      case "file":
        said.push(parseShownPart(part))
        break
      case "reasoning":
        addReasoning(said, part.text, parsePartOptions(part.options.signalbox))
        break
      case "tool-call": {
        const { id, name, options, params: input } = part
        said.push(toCallPart({ id, name, input }, parsePartOptions(options.signalbox)))
        break
      }
      case "tool-result":
        flush()
        turns.push({ role: "tool", parts: [parseResult(part)] })
        break
      case "tool-approval-request":
        // It is between the application and its user.
        break
    }
  }
  flush()
  return turns
}

const parseResult = ({
  id,
  isFailure,
  modelOutput,
  name,
  options,
  result
}: Prompt.ToolResultPart): ResultPart => {
  const { cache } = parsePartOptions(options.signalbox)
  return {
    type: "result",
    callId: id,
    name,
    content: modelOutput === undefined ? parseOutput(result) : modelOutput.map(parseOutputPart),
    ...(isFailure ? { isError: true } : undefined),
    ...omitUndefined({ cache })
  }
}

/** A text stays what it is, which models read better than JSON. Undefined is nothing. */
const parseOutput = (result: unknown): ResultPart["content"] => {
  const text = typeof result === "string" ? result : (JSON.stringify(result) ?? "")
  return text === "" ? [] : [{ type: "text", text }]
}

const parseOutputPart = (
  part: Prompt.FilePart | Prompt.TextPart
): ResultPart["content"][number] => {
  if (part.type === "file") return parseFile(part)
  const { cache } = parsePartOptions(part.options.signalbox)
  return { type: "text", text: part.text, ...omitUndefined({ cache }) }
}

/** A text is base64, or a URL, which has a colon that base64 has not. */
export const parseFileSource = ({
  data,
  mediaType
}: Pick<Prompt.FilePart, "data" | "mediaType">): MediaSource => {
  const text = data instanceof URL ? data.href : data
  if (typeof text === "string" && text.includes(":")) return parseMediaUrl(text)
  const base64 = typeof text === "string" ? text : Base64.encode(text)
  return { type: "base64", mediaType: toFullType(mediaType, base64), data: base64 }
}

/** A prompt may know the kind alone, as `image` or `image/*`; then the bytes say which one it is. */
const toFullType = (mediaType: string, base64: string): string =>
  /^image(?:\/\*)?$/i.test(mediaType) ? (findImageType(base64) ?? "image/jpeg") : mediaType
