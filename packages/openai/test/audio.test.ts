/** OpenAI's speech and transcriptions against the contract suites, and what only its models have. */
import { toStream } from "@signalbox/core/upstream"
import { ScriptedUpstream } from "@signalbox/testing"
import { speechUpstreamContract, transcriptionUpstreamContract } from "@signalbox/testing/contracts"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { expect, test } from "vitest"
import { openai } from "../src/index.ts"

const at = (url: string) => openai({ baseUrl: `${url}/v1`, apiKey: "sk-of-the-host" })
speechUpstreamContract("openai", at)
transcriptionUpstreamContract("openai", at)

test("a recording of a voice, which the API has no field for, is refused and not left out", async () => {
  await using provider = await ScriptedUpstream.start()
  const call = { model: "tts-1", input: "Hi", format: "mp3", parameters: {} } as const
  const source = at(provider.url).speech!.speak({ ...call, reference: { data: "QUJD" } })
  const events = Stream.runCollect(Stream.isStream(source) ? source : toStream(source))
  const result = await Effect.runPromise(
    Effect.provide(Effect.result(events), FetchHttpClient.layer)
  )
  expect(Result.isFailure(result) && result.failure.kind).toBe("unsupported_parameter")
  expect(provider.requests).toHaveLength(0)
})

test("OpenAI itself needs a voice, and makes six formats", () => {
  const { speech } = openai({ apiKey: "sk-of-the-host" })
  expect(speech).toMatchObject({
    needsVoice: true,
    formats: ["mp3", "opus", "aac", "flac", "wav", "pcm"]
  })
})
