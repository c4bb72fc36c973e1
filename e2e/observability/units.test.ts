/** Images, characters and seconds of audio are in records, in series and in analytics. */
import { reply } from "@signalbox/testing"
import { expect, test } from "vitest"
import { startAudioServer } from "../audio/startAudioServer.ts"
import { startImageServer } from "../images/startImageServer.ts"
import { getProperty } from "../support/getProperty.ts"
import { keys } from "../support/TestServer.ts"

const units = ["characters", "audio_seconds", "output_images"]

type Server = Pick<Awaited<ReturnType<typeof startAudioServer>>, "call">

const read = async ({ call }: Server, path: string, body?: object) => {
  const answer = await call(path, {
    key: keys.management,
    ...(body === undefined ? { method: "GET" } : { body: JSON.stringify(body) })
  })
  return getProperty(answer.body, "data")
}

const getUsage = async (server: Server, id: string | undefined) =>
  getProperty(await read(server, `/signalbox/generations/${id}`), "usage")

test("of images", async () => {
  const server = await startImageServer()
  server.first.always(reply.images({ size: "1024x1024" }))
  const { headers } = await server.paint({ n: 2 })
  expect(await getUsage(server, headers["x-generation-id"])).toMatchObject({
    output_images: 2,
    characters: null,
    audio_seconds: null
  })
  expect(await read(server, "/signalbox/series?group_by=operation")).toMatchObject({
    series: [{ value: "images", totals: { output_images: 2, characters: 0, audio_seconds: 0 } }]
  })
  expect(
    getProperty(await read(server, "/analytics/query", { metrics: units }), "data")
  ).toMatchObject([{ output_images: 2, characters: 0, audio_seconds: 0 }])
})

test("of speech and transcriptions", async () => {
  const server = await startAudioServer()
  const spoken = await server.speak()
  const heard = await server.transcribe()
  expect(await getUsage(server, spoken.headers["x-generation-id"])).toMatchObject({
    characters: 8,
    audio_seconds: null,
    output_images: null
  })
  expect(await getUsage(server, heard.headers["x-generation-id"])).toMatchObject({
    characters: null,
    audio_seconds: 2
  })
  expect(await read(server, "/signalbox/series?group_by=operation")).toMatchObject({
    series: expect.arrayContaining([
      expect.objectContaining({
        value: "speech",
        totals: expect.objectContaining({ characters: 8, audio_seconds: 0 })
      }),
      expect.objectContaining({
        value: "transcriptions",
        totals: expect.objectContaining({ characters: 0, audio_seconds: 2 })
      })
    ])
  })
  expect(
    getProperty(await read(server, "/analytics/query", { metrics: units }), "data")
  ).toMatchObject([{ characters: 8, audio_seconds: 2, output_images: 0 }])
})
