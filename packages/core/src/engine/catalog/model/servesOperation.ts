/** Whether a model serves an operation, by the outputs that its card says. Its upstream may have models of all kinds. */
import type { OperationName } from "../../../values/OperationName.ts"
import type { Model } from "./Model.ts"

export const servesOperation = (
  { card }: Pick<Model, "card">,
  operation: OperationName
): boolean => {
  const { output_modalities: outputs } = card.architecture
  switch (operation) {
    case "embeddings":
    case "rerank":
      return outputs.includes(operation)
    case "speech":
      // Chats may answer in audio, too.
      return outputs.includes("speech") || (outputs.includes("audio") && !outputs.includes("text"))
    case "transcriptions":
      return outputs.includes("transcription")
    case "chat":
    case "decisions":
      return outputs.length === 0 || outputs.some((output) => !numericOutputs.has(output))
    case "images":
      return outputs.includes("image")
    case "videos":
      return true
  }
}

/** A model whose outputs are only these writes no text. */
const numericOutputs: ReadonlySet<string> = new Set([
  "embeddings",
  "rerank",
  "speech",
  "transcription"
])
