/** Parses the prompt of a language model as the turns of a conversation. */
import type * as Prompt from "effect/ai/Prompt"
import type { Turn } from "../conversation/Conversation.ts"
import type { Part, ResultPart } from "../conversation/Part.ts"
import { parsePartOptions } from "../dialects/parts/partMetadata.ts"
import { addReasoning, toCallPart, toMediaPart, toTextPart } from "../dialects/parts/promptParts.ts"
import { omitUndefined } from "../values/ownFields.ts"
import { parseFileSource } from "./parseFileSource.ts"

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
