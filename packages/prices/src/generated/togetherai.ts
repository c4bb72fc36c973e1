/** Written by scripts/writePrices.ts; the data are those of https://models.dev (MIT). */
import type { ListedModels } from "../ListedModels.ts"

export const togetherai: ListedModels = {
  "nvidia/nemotron-3-ultra-550b-a55b": {"name":"Nemotron 3 Ultra 550B A55B","family":"nemotron","created":1780531200,"price":{"prompt":"0.0000006","completion":"0.0000036","input_cache_read":"0.0000002","web_search":"-1"},"contextLength":512300,"maxCompletionTokens":512300,"inputs":["text"],"outputs":["text"]},
  "zai-org/GLM-5": {"name":"GLM-5","family":"glm","created":1770854400,"price":{"prompt":"0.000001","completion":"0.0000032","web_search":"-1"},"contextLength":202752,"maxCompletionTokens":131072,"inputs":["text"],"outputs":["text"]},
  "zai-org/GLM-5.2": {"name":"GLM-5.2","family":"glm","created":1781308800,"price":{"prompt":"0.0000014","completion":"0.0000044","input_cache_read":"0.00000026","web_search":"-1"},"contextLength":262144,"maxCompletionTokens":164000,"inputs":["text"],"outputs":["text"]}
}
