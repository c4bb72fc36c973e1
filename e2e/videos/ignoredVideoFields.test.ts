/** A video submission says which of its fields have no effect. */
import { expect, test } from "vitest"
import { startVideoTestServer } from "./VideoTestServer.ts"

test("a submission names the fields that a video does not have, and only these", async () => {
  const { submit } = await startVideoTestServer()
  const named = await submit({ durration: 8, metadata: { a: "b" } })
  expect([named.status, named.headers["x-signalbox-ignored"]]).toEqual([202, "durration, metadata"])
  const plain = await submit()
  expect([plain.status, plain.headers["x-signalbox-ignored"]]).toEqual([202, undefined])
})
