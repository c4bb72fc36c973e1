import { upstreamContract } from "@signalbox/testing/contracts"
import { openai } from "../src/index.ts"

const at = (url: string) => openai({ baseUrl: `${url}/v1`, apiKey: "sk-contract" })

upstreamContract("openai reading logprobs", at, {
  supportedParameters: ["logprobs", "top_logprobs", "structured_outputs"]
})
upstreamContract("openai stating probabilities", at, {
  supportedParameters: ["structured_outputs"]
})
upstreamContract("openai choosing", at)
