import { upstreamContract } from "@signalbox/testing/contracts"
import { openrouter } from "../src/index.ts"

upstreamContract("openrouter", (baseUrl) => openrouter({ baseUrl, apiKey: "sk-contract" }))
