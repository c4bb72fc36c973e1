import { linkSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { inspect } from "node:util"
import { layer, make, type Options } from "@signalbox/core"
import type { CatalogSource } from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { assert, describe, inject, it } from "vitest"
import { postgres, sqlite } from "../src/index.ts"
import { StorageUnavailable } from "../src/errors/StorageErrors.ts"
import { offlinePlatform } from "./offlinePlatform.ts"

const openStorage = (stores: ReturnType<typeof postgres> | ReturnType<typeof sqlite>) =>
  Effect.runPromise(Effect.flip(Effect.scoped(Layer.build(stores))))

/** The url of the test server with one part wrong, and a password that no message may contain. */
const toWrongUrl = (wrong: string): string => {
  const url = new URL(inject("postgresUrl"))
  if (wrong === "unknown database") url.pathname = "/nowhere"
  else url.password = "sekret99"
  if (wrong === "unknown user") url.username = "nobody"
  if (wrong === "closed port") url.port = "1"
  if (wrong === "unknown host") url.hostname = "host.invalid"
  return url.href
}

describe("opening storage that cannot be used", () => {
  it.each([
    "postgres://user:sekret99@host:99999/db",
    "postgres://user:sekret99 with a blank@host:port/db",
    "postgres://user:99/sekret99@host:5432/db",
    "postgres://user:99?sekret99@host:5432/db",
    "postgres://user:99#sekret99@host:5432/db",
    "user:sekret99@host/db"
  ])("does not repeat the password of an invalid url: %s", async (url) => {
    for (const option of [url, Redacted.make(url)]) {
      const error = await openStorage(postgres({ url: option }))
      assert.strictEqual(error._tag, "StorageUnavailable")
      assert.include(error.message, "postgres://user:password@host:5432/database")
      assert.notInclude(inspect(error, { depth: 10 }), "sekret99")
    }
  })

  it.each([
    [undefined, "one object of options"],
    ["./signalbox.db", "one object of options"],
    [{ file: "./signalbox.db" }, "file is no option"],
    [{ path: 5 }, "path "],
    [{ url: 5 }, "url "]
  ])("rejects the options %j by name", (options, message) => {
    for (const open of [sqlite, postgres]) {
      assert.throws(() => open(options as never), message)
    }
  })

  it.each([
    [{ maxBatchSize: 0 }, "maxBatchSize must be a number of at least 1"],
    [{ stalenessMillis: Number.NaN }, "stalenessMillis must be a number of at least 0"],
    [{ maxQueuedRecords: -1 }, "maxQueuedRecords must be a number of at least 0"]
  ])("rejects %j, with which a flush would never end", (options, message) => {
    assert.throws(() => sqlite({ path: ":memory:", ...options }), message)
    assert.throws(() => postgres({ url: inject("postgresUrl"), ...options }), message)
  })

  it("asks for the variable behind a missing url", async () => {
    const error = await openStorage(postgres({ url: undefined }))
    assert.include(error.message, "is the variable that holds it set?")
  })

  it("reports the first error when every address of a hostname fails", () => {
    const refused = Object.assign(new Error("connect ECONNREFUSED ::1:1"), { code: "ECONNREFUSED" })
    const cause = new Error("Failed to connect", { cause: new AggregateError([refused]) })
    const { message } = new StorageUnavailable({ where: "Postgres at localhost:1", cause })
    assert.include(message, "connect ECONNREFUSED ::1:1; is Postgres running there")
  })

  it.each([
    ["unknown user", /authentication failed|does not exist/, "check the user"],
    ["closed port", /ECONNREFUSED/, "is Postgres running there"],
    ["unknown host", /ENOTFOUND|EAI_AGAIN/, "spelled right"],
    ["unknown database", /does not exist/, "create the database, or name another one"]
  ])("says why Postgres failed and what to do: %s", async (wrong, reason, advice) => {
    const error = await openStorage(postgres({ url: toWrongUrl(wrong) }))
    assert.strictEqual(error._tag, "StorageUnavailable")
    assert.match(error.message, reason)
    assert.include(error.message, advice)
    assert.include(error.message, `Postgres at ${new URL(toWrongUrl(wrong)).host}/`)
    assert.notInclude(inspect(error, { depth: 20 }), "sekret99")
  })

  it.each([
    [
      "path in a missing folder",
      "an existing folder",
      (folder: string) => join(folder, "gone", "signalbox.db")
    ],
    ["path of a folder", "must name a file", (folder: string) => folder],
    [
      "file with other content",
      "the path of another file",
      (folder: string) => join(folder, "letter.txt")
    ]
  ])("says why SQLite failed and what to do: %s", async (_, advice, pathIn) => {
    const folder = mkdtempSync(join(tmpdir(), "signalbox-mistyped-"))
    try {
      writeFileSync(join(folder, "letter.txt"), "Dear Ada, ".repeat(1_000))
      const error = await openStorage(sqlite({ path: pathIn(folder) }))
      assert.strictEqual(error._tag, "StorageUnavailable")
      assert.match(error.message, /unable to open database file|file is not a database/)
      assert.include(error.message, advice)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it("rejects an empty path, which SQLite would take for a temporary database", async () => {
    const error = await openStorage(sqlite({ path: "" }))
    assert.include(error.message, "is the variable that holds it set?")
  })

  it("does not repeat a url given as a path", async () => {
    const error = await openStorage(sqlite({ path: "postgres://user:sekret99@host/db" }))
    assert.include(error.message, "use postgres({ url })")
    assert.notInclude(inspect(error, { depth: 20 }), "sekret99")
  })

  it("locks a SQLite file under the names of its symbolic links", async () => {
    const folder = mkdtempSync(join(tmpdir(), "signalbox-links-"))
    try {
      const path = join(folder, "real.db")
      writeFileSync(path, "")
      symlinkSync(path, join(folder, "link.db"))
      const error = await Effect.runPromise(
        Effect.scoped(
          Effect.andThen(
            Layer.build(sqlite({ path })),
            Effect.flip(
              Layer.build(
                Layer.fresh(sqlite({ path: join(folder, "link.db"), lockWaitMillis: 50 }))
              )
            )
          )
        )
      )
      assert.strictEqual(error._tag, "FileInUse")
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe("a SQLite file with a hard link", () => {
  it("is rejected under either name", async () => {
    const folder = mkdtempSync(join(tmpdir(), "signalbox-links-"))
    try {
      const path = join(folder, "real.db")
      const link = join(folder, "link.db")
      const second = Effect.sync(() => linkSync(path, link)).pipe(
        Effect.andThen(Effect.flip(Layer.build(Layer.fresh(sqlite({ path: link })))))
      )
      const error = await Effect.runPromise(
        Effect.scoped(Effect.andThen(Layer.build(sqlite({ path })), second))
      )
      assert.strictEqual(error._tag, "StorageUnavailable")
      assert.include(error.message, "remove all but one")
      assert.include((await openStorage(sqlite({ path }))).message, "2 hard links")
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

/** Makes and closes an instance; rejects if `options` are invalid. */
const makeAndClose = async (path: string, options: Partial<Options>) => {
  const stores = sqlite({ path, lockWaitMillis: 50 })
  const instance = await make({ upstreams: [], models: [], stores, ...options }, offlinePlatform)
  await instance.close()
  return "closed"
}

const withFolder = async (test: (path: string) => Promise<void>) => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-making-"))
  try {
    await test(join(folder, "signalbox.db"))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe("an instance on a SQLite file", () => {
  it("releases the file when making the instance fails", () =>
    withFolder(async (path) => {
      const error: unknown = await makeAndClose(path, {
        keys: [{ key: "", kind: "member" }]
      }).catch((cause: unknown) => cause)
      assert.match(String(error), /a member key is empty/)
      assert.strictEqual(await makeAndClose(path, {}), "closed")
    }))

  it("releases the file when making the instance is interrupted", () =>
    withFolder(async (path) => {
      const opened = Promise.withResolvers<void>()
      const models: CatalogSource = { name: "a source that hangs", load: Effect.never }
      const stores = Layer.tap(sqlite({ path }), () => Effect.sync(opened.resolve))
      const fiber = Effect.runFork(
        Effect.scoped(
          Layer.build(Layer.provide(layer({ upstreams: [], models, stores }), offlinePlatform))
        )
      )
      await opened.promise
      await Effect.runPromise(Fiber.interrupt(fiber))
      assert.strictEqual(await makeAndClose(path, {}), "closed")
    }))
})
