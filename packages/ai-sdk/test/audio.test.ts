/** Models of the AI SDK that speak and transcribe, against the contract suites. */
import { createOpenAI } from "@ai-sdk/openai"
import { speechUpstreamContract, transcriptionUpstreamContract } from "@signalbox/testing/contracts"
import { fromAiSdk } from "../src/index.ts"

const at = (url: string) =>
  fromAiSdk(createOpenAI({ baseURL: `${url}/v1`, apiKey: "sk-of-the-host" }), { slug: "sdk" })
speechUpstreamContract("fromAiSdk", at, { streams: false, takesCredentials: false })
transcriptionUpstreamContract("fromAiSdk", at, { hasSegments: false, takesCredentials: false })
