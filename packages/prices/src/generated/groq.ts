/** Written by scripts/writePrices.ts; the data are those of https://models.dev (MIT). */
import type { ListedModels } from "../ListedModels.ts"

export const groq: ListedModels = {
  "openai/gpt-oss-120b": {"name":"GPT OSS 120B","family":"gpt-oss","created":1754352000,"price":{"prompt":"0.00000015","completion":"0.0000006","input_cache_read":"0.000000075","web_search":"-1"},"contextLength":131072,"maxCompletionTokens":65536,"inputs":["text"],"outputs":["text"]}
}
