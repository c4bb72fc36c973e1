/** Written by scripts/writePrices.ts; the data are those of https://models.dev (MIT). */
import type { ListedModels } from "../ListedModels.ts"

export const cerebras: ListedModels = {
  "gpt-oss-120b": {"name":"GPT OSS 120B","family":"gpt-oss","created":1754352000,"price":{"prompt":"0.00000035","completion":"0.00000075","web_search":"-1"},"contextLength":131072,"maxCompletionTokens":40960,"inputs":["text"],"outputs":["text"]}
}
