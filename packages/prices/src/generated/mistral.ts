/** Written by scripts/writePrices.ts; the data are those of https://models.dev (MIT). */
import type { ListedModels } from "../ListedModels.ts"

export const mistral: ListedModels = {
  "mistral-large-2411": {"name":"Mistral Large 2.1","family":"mistral-large","created":1731888000,"price":{"prompt":"0.000002","completion":"0.000006","web_search":"-1"},"contextLength":131072,"maxCompletionTokens":16384,"inputs":["text"],"outputs":["text"]},
  "mistral-medium-latest": {"name":"Mistral Medium (latest)","family":"mistral-medium","created":1754956800,"price":{"prompt":"0.0000004","completion":"0.000002","web_search":"-1"},"contextLength":262144,"maxCompletionTokens":262144,"inputs":["text","image"],"outputs":["text"]}
}
