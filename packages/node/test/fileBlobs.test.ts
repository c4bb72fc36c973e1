import { existsSync, mkdtempSync, readdirSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { BlobStore } from "@signalbox/core/stores"
import { BlobStoreContract } from "@signalbox/testing/contracts"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { assert, describe, expect, it } from "vitest"
import { fileBlobs } from "../src/fileBlobs.ts"

const makeFolder = () => {
  const folder = join(mkdtempSync(join(tmpdir(), "signalbox-blobs-")), "inner")
  return { folder, blobs: fileBlobs(folder) }
}
const joinBytes = (...parts: ReadonlyArray<ReadonlyArray<number>>) =>
  Stream.fromIterable(parts.map((part) => Uint8Array.from(part)))
const readBlob = async (
  { find }: ReturnType<typeof fileBlobs>,
  name: string,
  ...[offset, length]: ReadonlyArray<number>
) => {
  const found = await Effect.runPromise(find(name))
  if (found === undefined) return undefined
  const pieces = await Effect.runPromise(
    Stream.runCollect(found.read(offset ?? 0, length ?? found.size))
  )
  return pieces.flatMap((piece) => Array.from(piece))
}

BlobStoreContract(
  "in a folder",
  Layer.sync(BlobStore, () => makeFolder().blobs)
)

describe("fileBlobs", () => {
  it("stores a file in a new folder, and reads any range of it", async () => {
    const { blobs, folder } = makeFolder()
    await Effect.runPromise(blobs.put("a-0", joinBytes([1, 2], [3, 4, 5])))
    assert.deepStrictEqual(await readBlob(blobs, "a-0"), [1, 2, 3, 4, 5])
    assert.deepStrictEqual(await readBlob(blobs, "a-0", 1, 3), [2, 3, 4])
    assert.deepStrictEqual(readdirSync(folder), ["a-0"])
  })

  it("a failed write leaves the previous file unchanged", async () => {
    const { blobs, folder } = makeFolder()
    const broken = Stream.concat(joinBytes([9]), Stream.fail("broken" as const))
    const failure = await Effect.runPromise(Effect.flip(blobs.put("a-0", broken)))
    assert.strictEqual(failure, "broken")
    assert.isUndefined(await readBlob(blobs, "a-0"))
    await Effect.runPromise(blobs.put("a-0", joinBytes([1])))
    await Effect.runPromise(Effect.flip(blobs.put("a-0", broken)))
    assert.deepStrictEqual(await readBlob(blobs, "a-0"), [1])
    await Effect.runPromise(blobs.put("a-0", joinBytes([2])))
    assert.deepStrictEqual(await readBlob(blobs, "a-0"), [2])
    assert.deepStrictEqual(readdirSync(folder), ["a-0"])
  })

  it("an interrupted write leaves no file", async () => {
    const { blobs, folder } = makeFolder()
    const endless = Stream.limitBytes(Stream.forever(joinBytes([1, 2, 3])), 1_000, () =>
      Stream.fail("too large" as const)
    )
    assert.strictEqual(await Effect.runPromise(Effect.flip(blobs.put("a-0", endless))), "too large")
    assert.deepStrictEqual(readdirSync(folder), [])
  })

  it("removes a file, and ignores a second removal", async () => {
    const { blobs, folder } = makeFolder()
    await Effect.runPromise(blobs.put("a-0", joinBytes([1])))
    await Effect.runPromise(blobs.remove("a-0"))
    await Effect.runPromise(blobs.remove("a-0"))
    assert.isUndefined(await readBlob(blobs, "a-0"))
    assert.deepStrictEqual(readdirSync(folder), [])
  })

  it("removes the drafts of a killed process, but no other files", async () => {
    const { blobs, folder } = makeFolder()
    const never = Stream.concat(joinBytes([1]), Stream.never)
    const writing = ["a-0", "a-01"].map((name) => Effect.runFork(blobs.put(name, never)))
    await expect.poll(() => existsSync(folder) && readdirSync(folder).length).toBe(2)
    // The same result as in the uninterrupted case.
    await Effect.runPromise(blobs.put("a-1", joinBytes([1])))
    await Effect.runPromise(blobs.remove("a-0"))
    const left = readdirSync(folder).map((file) => file.split(".")[0])
    assert.sameMembers(left, ["a-01", "a-1"])
    for (const fiber of writing) fiber.interruptUnsafe()
    await Effect.runPromise(Effect.forEach(writing, Fiber.await))
  })

  it("does not leave its folder", async () => {
    const { blobs, folder } = makeFolder()
    await Effect.runPromise(blobs.put("../../x", joinBytes([1])))
    assert.deepStrictEqual(readdirSync(folder), ["______x"])
  })

  it("errors have a code but no path", async () => {
    const failure = await Effect.runPromise(
      Effect.flip(fileBlobs("/dev/null/x").put("a-0", joinBytes([1])))
    )
    assert.strictEqual(failure._tag, "BlobFailed")
    assert.notInclude(failure.problem, "/dev/null")
  })
})
