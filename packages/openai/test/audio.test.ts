/** OpenAI's speech and transcriptions against the contract suites, and what only its models have. */
import { speechUpstreamContract, transcriptionUpstreamContract } from "@signalbox/testing/contracts"
import { expect, test } from "vitest"
import { openai } from "../src/index.ts"

const at = (url: string) => openai({ baseUrl: `${url}/v1`, apiKey: "sk-of-the-host" })
speechUpstreamContract("openai", at)
transcriptionUpstreamContract("openai", at)

test("OpenAI itself needs a voice, and makes six formats", () => {
  const { speech } = openai({ apiKey: "sk-of-the-host" })
  expect(speech).toMatchObject({
    needsVoice: true,
    formats: ["mp3", "opus", "aac", "flac", "wav", "pcm"]
  })
})
