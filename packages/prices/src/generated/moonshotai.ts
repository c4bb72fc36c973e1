/** Written by scripts/writePrices.ts; the data are those of https://models.dev (MIT). */
import type { ListedModels } from "../ListedModels.ts"

export const moonshotai: ListedModels = {
  "kimi-k2.7-code": {"name":"Kimi K2.7 Code","family":"kimi-k2","created":1781222400,"price":{"prompt":"0.00000095","completion":"0.000004","input_cache_read":"0.00000019","web_search":"-1"},"contextLength":262144,"maxCompletionTokens":262144,"inputs":["text","image","video"],"outputs":["text"]},
  "kimi-k2.7-code-highspeed": {"name":"Kimi K2.7 Code","family":"kimi-k2","created":1781222400,"price":{"prompt":"0.0000019","completion":"0.000008","input_cache_read":"0.00000038","web_search":"-1"},"contextLength":262144,"maxCompletionTokens":262144,"inputs":["text","image","video"],"outputs":["text"]}
}
