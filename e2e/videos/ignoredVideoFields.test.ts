/** A video submission says which of its fields have no effect. */
import { fault } from "@signalbox/testing"
import { expect, test } from "vitest"
import { getProperty } from "../support/getProperty.ts"
import { startVideoTestServer, videoKeys } from "./VideoTestServer.ts"

test("a submission names the fields that a video does not have, and only these", async () => {
  const { submit } = await startVideoTestServer()
  const named = await submit({ durration: 8, metadata: { a: "b" } })
  expect([named.status, named.headers["x-signalbox-ignored"]]).toEqual([202, "durration, metadata"])
  const plain = await submit()
  expect([plain.status, plain.headers["x-signalbox-ignored"]]).toEqual([202, undefined])
})

test("after a fallback, the job and its record name what the provider that took it was not sent", async () => {
  const { ask, poll, submit, until, upstreams } = await startVideoTestServer({
    upstream: ({ videos, ...upstream }) =>
      upstream.slug === "second" && videos !== undefined
        ? { ...upstream, videos: { ...videos, omittedFields: ["seed"] } }
        : { ...upstream, ...(videos === undefined ? undefined : { videos }) }
  })
  upstreams.first.always(fault.status(500))
  const { body, headers } = await submit({ seed: 7, durration: 8 })
  expect(headers["x-signalbox-ignored"]).toBe("durration")
  const id = String(getProperty(body, "id"))
  await until(id, "completed")
  expect((await poll(id)).headers["x-signalbox-ignored"]).toBe("durration, seed")
  const record = await ask("GET", `/signalbox/generations/${id}`, { key: videoKeys.management })
  expect(getProperty(getProperty(record.body, "data"), "attempts")).toMatchObject([
    { provider_name: "first", dropped_parameters: ["durration"] },
    { provider_name: "second", dropped_parameters: ["durration", "seed"] }
  ])
})
