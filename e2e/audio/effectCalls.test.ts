/** Images, speech and transcriptions by the services of an instance, as Effect hosts call them. */
import { generateImages, speak, streamImages, transcribe } from "@signalbox/core/adapter"
import { audioOf, imageOf, reply } from "@signalbox/testing"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { expect, test } from "vitest"
import { imageRequest, startImageServer } from "../images/startImageServer.ts"
import { startAudioServer, wavOf } from "./startAudioServer.ts"

test("speech is a stream of bytes, and a transcript a text", async () => {
  const { first, instance } = await startAudioServer()
  const bytes = speak({ model: "proof/tts", input: "Hi", voice: "alloy" }).pipe(
    Effect.flatMap((speech) => Stream.runCollect(speech.bytes)),
    Effect.scoped
  )
  const pieces = await Effect.runPromise(Effect.provideContext(bytes, instance.context))
  expect(Buffer.concat(pieces)).toEqual(Buffer.from(audioOf("pcm", "Hi")))
  const heard = transcribe({
    model: "proof/stt",
    input_audio: { data: wavOf(2), format: "wav" },
    provider: { only: ["first"] }
  })
  expect(await Effect.runPromise(Effect.provideContext(heard, instance.context))).toMatchObject({
    text: "Hello there."
  })
  expect(first.requests.at(-1)?.path).toBe("/v1/audio/transcriptions")
})

test("images come whole, and in events", async () => {
  const { always, instance } = await startImageServer()
  always(reply.images({ size: "1024x1024" }))
  const whole = await Effect.runPromise(
    Effect.provideContext(generateImages(imageRequest), instance.context)
  )
  expect(whole.data.map(({ b64_json }) => b64_json)).toEqual([imageOf("1024x1024")])
  const events = streamImages({ ...imageRequest, partial_images: 1 }).pipe(
    Effect.flatMap(Stream.runCollect),
    Effect.scoped
  )
  const types = await Effect.runPromise(Effect.provideContext(events, instance.context))
  expect(types.map(({ type }) => type)).toEqual([
    "image_generation.partial_image",
    "image_generation.completed"
  ])
})
