/** Parses the prompt of a language model as the turns of a conversation. */
import type * as Prompt from "effect/ai/Prompt"
import type { Turn } from "../conversation/Conversation.ts"
import type {
  CacheMark,
  Part,
  ReasoningPart,
  ResultPart,
  Signature,
  TextPart
} from "../conversation/Part.ts"
import { omitUndefined } from "../values/omitUndefined.ts"
import { parseFile } from "./parseFile.ts"
import type { CacheOptions, SignatureMetadata } from "./partMetadata.ts"

export const parsePrompt = ({ content }: Prompt.Prompt): ReadonlyArray<Turn> =>
  content.flatMap(parseMessage)

const parseMessage = (message: Prompt.Message): ReadonlyArray<Turn> => {
  switch (message.role) {
    case "system": {
      const text = {
        type: "text" as const,
        text: message.content,
        ...parseCache(message.options.signalbox)
      }
      return [{ role: "system", parts: [text] }]
    }
    case "user":
      return [{ role: "user", parts: message.content.map(parseUserPart) }]
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

const parseUserPart = (part: Prompt.UserMessagePart): Part =>
  part.type === "text" ? parseText(part) : parseFilePart(part)

const parseText = ({ options: { signalbox }, text }: Prompt.TextPart): TextPart => ({
  type: "text",
  text,
  ...parseCache(signalbox),
  ...parseSignature(signalbox)
})

const parseFilePart = (part: Prompt.FilePart) => ({
  ...parseFile(part),
  ...parseCache(part.options.signalbox)
})

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
        said.push(parseText(part))
        break
      case "reasoning":
        addReasoning(said, parseReasoning(part))
        break
      case "file":
        said.push(parseFilePart(part))
        break
      case "tool-call":
        said.push({
          type: "call",
          id: part.id,
          name: part.name,
          arguments: toText(part.params),
          ...parseCache(part.options.signalbox),
          ...parseSignature(part.options.signalbox)
        })
        break
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

const parseReasoning = ({ options, text }: Prompt.ReasoningPart): ReasoningPart => {
  const { encrypted, format, id, isSummary, signature } = options.signalbox ?? {}
  return {
    type: "reasoning",
    format: format ?? "unknown",
    ...(text === "" ? undefined : { text }),
    ...(isSummary === true ? { isSummary } : undefined),
    ...omitUndefined({
      encrypted: encrypted ?? undefined,
      signature: signature ?? undefined,
      id: id ?? undefined
    })
  }
}

/** Some providers sign their reasoning at the end of a stream, after its text has been said. */
const addReasoning = (said: Array<Part>, reasoning: ReasoningPart): void => {
  const { encrypted, signature, text } = reasoning
  const at = said.findLastIndex(({ type }) => type === "reasoning")
  const last = said[at]
  const isLateSignature = text === undefined && encrypted === undefined && signature !== undefined
  if (isLateSignature && last?.type === "reasoning" && last.signature === undefined) {
    said[at] = { ...last, ...reasoning }
  } else said.push(reasoning)
}

const parseResult = ({
  id,
  isFailure,
  modelOutput,
  name,
  options,
  result
}: Prompt.ToolResultPart): ResultPart => ({
  type: "result",
  callId: id,
  name,
  content:
    modelOutput === undefined
      ? toResultContent(toText(result))
      : modelOutput.map((part) => (part.type === "text" ? parseText(part) : parseFilePart(part))),
  ...(isFailure ? { isError: true } : undefined),
  ...parseCache(options.signalbox)
})

const toResultContent = (text: string): ResultPart["content"] =>
  text === "" ? [] : [{ type: "text", text }]

/** A text stays what it is, which models read better than JSON. Undefined is nothing. */
const toText = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "")

const parseCache = (
  options: CacheOptions | null | undefined
): { readonly cache?: CacheMark } | undefined => {
  const mark = options?.cacheControl ?? undefined
  if (mark === undefined) return undefined
  const { ttl, type } = mark
  return { cache: typeof ttl === "string" ? { type, ttl } : { type } }
}

const parseSignature = (
  options: SignatureMetadata | null | undefined
): { readonly signature?: Signature } | undefined => {
  const signature = options?.signature ?? undefined
  return signature === undefined ? undefined : { signature }
}
