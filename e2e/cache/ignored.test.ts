/** A hit tells what its request ignores, as an answer of the endpoint would, and no strict request is served with less. */
import { expect, test } from "vitest"
import { askingForCache, startCacheServer } from "./startCacheServer.ts"

test.each([false, true])(
  "a hit did not say what the request ignored, streamed: %s",
  async (stream) => {
    const { ask, first, second } = await startCacheServer()
    await ask({ stream })
    const fields = { stream, metadata: { ticket: "7" }, safeguards: [{ kind: "unknown" }] }
    for (const status of ["MISS", "HIT"]) {
      const { cache, headers } = await ask(fields)
      expect([cache, headers["x-signalbox-ignored"]]).toEqual([status, "metadata, safeguards"])
    }
    const plain = await ask({ stream, metadata: {} })
    expect([plain.cache, plain.headers["x-signalbox-ignored"]]).toEqual(["HIT", undefined])
    const asked = first.requests.length + second.requests.length
    const strict = await ask(fields, { ...askingForCache, "x-signalbox-strict": "true" })
    expect([strict.status, strict.cache]).toEqual([400, undefined])
    expect(strict.text).toContain("metadata, safeguards")
    expect(first.requests.length + second.requests.length).toBe(asked)
  }
)

test("a hit tells what the endpoint got in another form", async () => {
  const { ask } = await startCacheServer()
  const fields = { plugins: [{ id: "context-compression" }], transforms: ["middle-out"] }
  const [miss, hit] = [await ask(fields), await ask(fields)]
  expect([miss.cache, hit.cache]).toEqual(["MISS", "HIT"])
  expect(hit.headers["x-signalbox-ignored"]).toBe(miss.headers["x-signalbox-ignored"])
})
