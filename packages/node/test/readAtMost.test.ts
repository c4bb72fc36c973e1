import { Readable } from "node:stream"
import { createGunzip, gzipSync } from "node:zlib"
import { readAtMost } from "@signalbox/node"
import { expect, it } from "vitest"

it("reads a stream to its end", async () => {
  expect((await readAtMost(Readable.from(["na", "ïve"]), 6)).toString()).toBe("naïve")
  expect(
    (await readAtMost(Readable.from([Buffer.from("x"), Buffer.from("y")]), 2)).toString()
  ).toBe("xy")
  expect(await readAtMost(Readable.from([]), 1)).toHaveLength(0)
})

it("stops beyond the limit, however much is left", async () => {
  const bomb = Readable.from([gzipSync(Buffer.alloc(64 * 1024 * 1024))]).pipe(createGunzip())
  const bytes = await readAtMost(bomb, 1_000)
  expect(bytes.length).toBeGreaterThan(1_000)
  expect(bytes.length).toBeLessThan(1_000_000)
  expect(bomb.destroyed).toBe(true)
})

it("rejects when the stream fails", async () => {
  const broken = Readable.from([Buffer.from("no gzip")]).pipe(createGunzip())
  await expect(readAtMost(broken, 1_000)).rejects.toThrow("incorrect header check")
})
