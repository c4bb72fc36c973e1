/** Written by scripts/writePrices.ts; the data are those of https://models.dev (MIT). */
import type { ListedModels } from "../ListedModels.ts"

export const google: ListedModels = {
  "gemini-2.5-flash": {"name":"Gemini 2.5 Flash","family":"gemini-flash","created":1750118400,"price":{"prompt":"0.0000003","completion":"0.0000025","input_cache_read":"0.00000003","audio":"0.000001","web_search":"-1"},"contextLength":1048576,"maxCompletionTokens":65536,"inputs":["text","image","audio","video","file"],"outputs":["text"]},
  "gemini-2.5-flash-lite": {"name":"Gemini 2.5 Flash-Lite","family":"gemini-flash-lite","created":1750118400,"price":{"prompt":"0.0000001","completion":"0.0000004","input_cache_read":"0.00000001","audio":"0.0000003","web_search":"-1"},"contextLength":1048576,"maxCompletionTokens":65536,"inputs":["text","image","audio","video","file"],"outputs":["text"]},
  "gemini-2.5-pro": {"name":"Gemini 2.5 Pro","family":"gemini-pro","created":1750118400,"price":{"prompt":"0.00000125","completion":"0.00001","input_cache_read":"0.000000125","web_search":"-1","overrides":[{"min_prompt_tokens":200000,"prompt":"0.0000025","completion":"0.000015","input_cache_read":"0.00000025"}]},"contextLength":1048576,"maxCompletionTokens":65536,"inputs":["text","image","audio","video","file"],"outputs":["text"]}
}
