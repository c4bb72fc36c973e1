/** Written by scripts/writePrices.ts; the data are those of https://models.dev (MIT). */
import type { ListedModels } from "../ListedModels.ts"

export const fireworksAi: ListedModels = {
  "accounts/fireworks/models/deepseek-v4-flash": {"name":"DeepSeek V4 Flash","family":"deepseek-flash","created":1776988800,"price":{"prompt":"0.00000014","completion":"0.00000028","input_cache_read":"0.000000028","web_search":"-1"},"contextLength":1000000,"maxCompletionTokens":384000,"inputs":["text"],"outputs":["text"]},
  "accounts/fireworks/models/deepseek-v4-pro": {"name":"DeepSeek V4 Pro","family":"deepseek-thinking","created":1776988800,"price":{"prompt":"0.00000174","completion":"0.00000348","input_cache_read":"0.000000145","web_search":"-1"},"contextLength":1000000,"maxCompletionTokens":384000,"inputs":["text"],"outputs":["text"]}
}
