/** Speech and transcriptions with OpenRouter's API against the contract suites. */
import { speechUpstreamContract, transcriptionUpstreamContract } from "@signalbox/testing/contracts"
import { openrouter } from "../src/index.ts"

const at = (url: string) => openrouter({ baseUrl: url, apiKey: "sk-of-the-host" })
speechUpstreamContract("openrouter", at)
transcriptionUpstreamContract("openrouter", at)
