/** Written by scripts/writePrices.ts; the data are those of https://models.dev (MIT). */
import type { ListedModels } from "../ListedModels.ts"

export const deepseek: ListedModels = {
  "deepseek-chat": {"name":"DeepSeek Chat","family":"deepseek","created":1764547200,"price":{"prompt":"0.00000014","completion":"0.00000028","input_cache_read":"0.0000000028","web_search":"-1"},"contextLength":1000000,"maxCompletionTokens":384000,"inputs":["text"],"outputs":["text"]},
  "deepseek-reasoner": {"name":"DeepSeek Reasoner","family":"deepseek-thinking","created":1764547200,"price":{"prompt":"0.00000014","completion":"0.00000028","input_cache_read":"0.0000000028","web_search":"-1"},"contextLength":1000000,"maxCompletionTokens":384000,"inputs":["text"],"outputs":["text"]},
  "deepseek-v4-flash": {"name":"DeepSeek V4 Flash","family":"deepseek-flash","created":1776988800,"price":{"prompt":"0.00000014","completion":"0.00000028","input_cache_read":"0.0000000028","web_search":"-1"},"contextLength":1000000,"maxCompletionTokens":384000,"inputs":["text"],"outputs":["text"]},
  "deepseek-v4-pro": {"name":"DeepSeek V4 Pro","family":"deepseek-thinking","created":1776988800,"price":{"prompt":"0.000000435","completion":"0.00000087","input_cache_read":"0.000000003625","web_search":"-1"},"contextLength":1000000,"maxCompletionTokens":384000,"inputs":["text"],"outputs":["text"]}
}
