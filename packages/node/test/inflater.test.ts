import { brotliCompressSync, constants, deflateSync, gzipSync } from "node:zlib"
import { createServer } from "node:http"
import { once } from "node:events"
import { signalbox } from "@signalbox/node"
import { expect, it, onTestFinished } from "vitest"
import { inflater } from "../src/inflater.ts"
import { key, requestBody, startInstance } from "./startInstance.ts"

async function* splitBytes(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const compressors = [
  ["gzip", gzipSync],
  ["deflate", deflateSync],
  ["br", brotliCompressSync]
] as const

it("supports each coding that it lists", () => {
  expect(inflater.codings).toEqual(compressors.map(([coding]) => coding))
})

it.each(compressors)("decompresses %s in chunks of any size", async (coding, pack) => {
  const text = "naïve 🐂 ".repeat(20_000)
  for (const size of [1, 100, Infinity]) {
    const pieces: Array<Uint8Array> = []
    for await (const piece of inflater.inflate(coding, splitBytes(pack(text), size)))
      pieces.push(piece)
    expect(Buffer.concat(pieces).toString()).toBe(text)
  }
})

it.each(compressors)("decompresses no more of %s than is read", async (coding, pack) => {
  const bomb = pack(Buffer.alloc(64 * 1024 * 1024))
  let taken = 0
  const over = Promise.withResolvers<void>()
  const packed = (async function* () {
    try {
      for await (const piece of splitBytes(bomb, 64)) {
        taken += piece.length
        yield piece
      }
    } finally {
      over.resolve()
    }
  })()
  for await (const piece of inflater.inflate(coding, packed)) {
    expect(piece.length).toBeLessThanOrEqual(1024 * 1024)
    break
  }
  expect(taken).toBeLessThanOrEqual(bomb.length)
  // An early end closes the source too.
  await over.promise
})

it.each(compressors)(
  "fails with %s that is corrupt, truncated, or fails midway",
  async (coding, pack) => {
    const packed = pack("x".repeat(1_000))
    const torn = (async function* () {
      yield packed.subarray(0, 4)
      throw new Error("the client left")
    })()
    for (const source of [
      splitBytes(Buffer.from("no such thing"), 3),
      splitBytes(packed.subarray(0, -6), 5),
      torn
    ]) {
      const reading = (async () => {
        for await (const _ of inflater.inflate(coding, source)) {
          // Nothing of it is retained.
        }
      })()
      await expect(reading).rejects.toBeInstanceOf(Error)
    }
  }
)

it("accepts small Brotli bodies, and rejects a decompression bomb early", async () => {
  const { instance, calls } = await startInstance()
  const server = createServer(signalbox(instance)).listen(0, "127.0.0.1")
  onTestFinished(() => void server.close())
  await once(server, "listening")
  const address = server.address()
  const port = typeof address === "object" ? address?.port : 0
  const post = (body: Uint8Array<ArrayBuffer>) =>
    fetch(`http://127.0.0.1:${port}/api/alpha/decisions`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        "content-encoding": "br"
      },
      body
    })
  expect((await post(brotliCompressSync(requestBody))).status).toBe(200)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 1 }
  const bomb = brotliCompressSync(Buffer.alloc(256 * 1024 * 1024, " "), { params })
  const refused = await post(bomb)
  expect([refused.status, await refused.json()]).toMatchObject([
    413,
    { error: { metadata: { setting: "maxImageBodyBytes" } } }
  ])
  expect(calls()).toBe(1)
})
