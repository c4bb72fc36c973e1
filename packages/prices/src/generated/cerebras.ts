/** Written by scripts/writePrices.ts; the data are those of https://models.dev (MIT). */
import type { ListedModels } from "../ListedModels.ts"

export const cerebras: ListedModels = {
  "gpt-oss-120b": {"name":"GPT OSS 120B","family":"gpt-oss","created":1754352000,"price":{"prompt":"0.00000035","completion":"0.00000075","web_search":"-1"},"contextLength":131072,"maxCompletionTokens":40960,"inputs":["text"],"outputs":["text"]},
  "zai-glm-4.7": {"name":"Z.AI GLM-4.7","created":1767744000,"price":{"prompt":"0.00000225","completion":"0.00000275","web_search":"-1"},"contextLength":131072,"maxCompletionTokens":40960,"inputs":["text"],"outputs":["text"]}
}
