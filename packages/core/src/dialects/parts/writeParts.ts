/** Writes a whole answer as the parts of a library. */
import type { Answer } from "../../conversation/Answer.ts"
import type { Tool } from "../../conversation/Conversation.ts"
import type { Part } from "../../conversation/Part.ts"
import type { ChatReply } from "../../engine/upstreams/ChatCapability.ts"
import { commonNames, makeToolNames, type ToolNames } from "../ToolNames.ts"
import { toReasoningMetadata, toSignatureMetadata } from "./partMetadata.ts"
import type { PartForms } from "./PartForms.ts"

interface WrittenAnswer<Part> extends Pick<Answer, "end" | "logprobs"> {
  readonly parts: Array<Part>
  readonly hasCalls: boolean
}

/**
 * A language model has one answer, so other choices are dropped. Sources follow the other parts. `tools` are the
 * request's tools, by whose names the parts name them.
 */
export const writeParts = <Common, Whole>(
  { choices }: Pick<ChatReply, "choices">,
  forms: PartForms<Common, Whole, unknown>,
  tools: ReadonlyArray<Tool>
): WrittenAnswer<Common | Whole> => {
  const choice = choices.find(({ index }) => index === 0) ?? choices[0]
  const { parts, ...answer }: Answer = choice?.answer ?? { parts: [], end: { reason: null } }
  const names = makeToolNames(tools, commonNames)
  return {
    ...answer,
    hasCalls: parts.some(({ type }) => type === "call"),
    parts: [
      ...parts.flatMap((part) => writePart(part, forms, names)),
      ...parts.flatMap((part) =>
        part.type === "text" ? (part.citations ?? []).flatMap(forms.writeSource) : []
      )
    ]
  }
}

const writePart = <Common, Whole>(
  part: Part,
  { writeCall, writeMedia, writeReasoning, writeText }: PartForms<Common, Whole, unknown>,
  names: ToolNames
): ReadonlyArray<Common | Whole> => {
  switch (part.type) {
    case "text":
      // What holds citations alone is no text.
      return part.text === "" && part.signature === undefined
        ? []
        : [writeText(part.text, toSignatureMetadata(part.signature))]
    case "refusal":
      return [writeText(part.refusal, { refusal: true })]
    case "reasoning":
      return [writeReasoning(part.text ?? "", toReasoningMetadata(part))]
    case "call": {
      const { name } = names.fromDialect(part.name)
      return [writeCall({ ...part, name }, toSignatureMetadata(part.signature))]
    }
    case "audio":
    case "file":
    case "image":
    case "video":
      return writeMedia(part)
    case "opaque":
      return part.text === undefined ? [] : [writeText(part.text, undefined)]
    case "result":
      return []
  }
}
