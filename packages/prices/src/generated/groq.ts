/** Written by scripts/writePrices.ts; the data are those of https://models.dev (MIT). */
import type { ListedModels } from "../ListedModels.ts"

export const groq: ListedModels = {
  "llama-3.1-8b-instant": {"name":"Llama 3.1 8B","family":"llama","created":1721692800,"price":{"prompt":"0.00000005","completion":"0.00000008","web_search":"-1"},"contextLength":131072,"maxCompletionTokens":131072,"inputs":["text"],"outputs":["text"]},
  "llama-3.3-70b-versatile": {"name":"Llama 3.3 70B","family":"llama","created":1733443200,"price":{"prompt":"0.00000059","completion":"0.00000079","web_search":"-1"},"contextLength":131072,"maxCompletionTokens":32768,"inputs":["text"],"outputs":["text"]},
  "meta-llama/llama-4-scout-17b-16e-instruct": {"name":"Llama 4 Scout 17B 16E","family":"llama","created":1743811200,"price":{"prompt":"0.00000011","completion":"0.00000034","web_search":"-1"},"contextLength":131072,"maxCompletionTokens":8192,"inputs":["text","image"],"outputs":["text"]},
  "meta-llama/llama-prompt-guard-2-22m": {"name":"Llama Prompt Guard 2 22M","family":"llama","created":1748476800,"price":{"prompt":"0.00000003","completion":"0.00000003","web_search":"-1"},"contextLength":512,"maxCompletionTokens":512,"inputs":["text"],"outputs":["text"]},
  "meta-llama/llama-prompt-guard-2-86m": {"name":"Prompt Guard 2 86M","family":"llama","created":1748476800,"price":{"prompt":"0.00000004","completion":"0.00000004","web_search":"-1"},"contextLength":512,"maxCompletionTokens":512,"inputs":["text"],"outputs":["text"]},
  "openai/gpt-oss-120b": {"name":"GPT OSS 120B","family":"gpt-oss","created":1754352000,"price":{"prompt":"0.00000015","completion":"0.0000006","input_cache_read":"0.000000075","web_search":"-1"},"contextLength":131072,"maxCompletionTokens":65536,"inputs":["text"],"outputs":["text"]},
  "openai/gpt-oss-20b": {"name":"GPT OSS 20B","family":"gpt-oss","created":1754352000,"price":{"prompt":"0.000000075","completion":"0.0000003","input_cache_read":"0.0000000375","web_search":"-1"},"contextLength":131072,"maxCompletionTokens":65536,"inputs":["text"],"outputs":["text"]},
  "openai/gpt-oss-safeguard-20b": {"name":"Safety GPT OSS 20B","family":"gpt-oss","created":1761696000,"price":{"prompt":"0.000000075","completion":"0.0000003","web_search":"-1"},"contextLength":131072,"maxCompletionTokens":65536,"inputs":["text"],"outputs":["text"]},
  "qwen/qwen3-32b": {"name":"Qwen3-32B","family":"qwen","created":1749600000,"price":{"prompt":"0.00000029","completion":"0.00000059","web_search":"-1"},"contextLength":131072,"maxCompletionTokens":40960,"inputs":["text"],"outputs":["text"]}
}
