import { linkSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { inspect } from "node:util"
import { layer, make, type Options } from "@signalbox/core"
import { type CatalogSource } from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { assert, describe, inject, it } from "vitest"
import { postgres, sqlite } from "../src/index.ts"
import { StorageUnavailable } from "../src/StorageErrors.ts"
import { offlinePlatform } from "./offlinePlatform.ts"

const openStorage = (stores: ReturnType<typeof postgres> | ReturnType<typeof sqlite>) =>
  Effect.runPromise(Effect.flip(Effect.scoped(Layer.build(stores))))

/** The address of a Postgres that is there, with one thing wrong, and a password that is told nobody. */
const toWrongUrl = (wrong: string): string => {
  const url = new URL(inject("postgresUrl"))
  if (wrong === "no such database") url.pathname = "/nowhere"
  else url.password = "sekret99"
  if (wrong === "nobody it knows") url.username = "nobody"
  if (wrong === "nobody listens") url.port = "1"
  if (wrong === "no such host") url.hostname = "host.invalid"
  return url.href
}

describe("storage that cannot be opened", () => {
  it.each([
    "postgres://user:sekret99@host:99999/db",
    "postgres://user:sekret99 with a blank@host:port/db",
    "postgres://user:99/sekret99@host:5432/db",
    "postgres://user:99?sekret99@host:5432/db",
    "postgres://user:99#sekret99@host:5432/db",
    "user:sekret99@host/db"
  ])("told the password of a mistyped address: %s", async (url) => {
    for (const given of [url, Redacted.make(url)]) {
      const error = await openStorage(postgres({ url: given }))
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
  ])("says what is wrong with the options %j", (options, message) => {
    for (const open of [sqlite, postgres]) {
      assert.throws(() => open(options as never), message)
    }
  })

  it("says what to look at when there is no address", async () => {
    const error = await openStorage(postgres({ url: undefined }))
    assert.include(error.message, "is the variable that holds it set?")
  })

  it("said nothing where a name leads to several addresses, and each failed", () => {
    const refused = Object.assign(new Error("connect ECONNREFUSED ::1:1"), { code: "ECONNREFUSED" })
    const cause = new Error("Failed to connect", { cause: new AggregateError([refused]) })
    const { message } = new StorageUnavailable({ where: "Postgres at localhost:1", cause })
    assert.include(message, "connect ECONNREFUSED ::1:1; does it run there")
  })

  it.each([
    ["nobody it knows", /authentication failed|does not exist/, "check the user"],
    ["nobody listens", /ECONNREFUSED/, "does it run there"],
    ["no such host", /ENOTFOUND|EAI_AGAIN/, "spelled right"],
    ["no such database", /does not exist/, "create it, or name another one"]
  ])(
    "said that something had failed, and neither why nor what to do: %s",
    async (wrong, why, toDo) => {
      const error = await openStorage(postgres({ url: toWrongUrl(wrong) }))
      assert.strictEqual(error._tag, "StorageUnavailable")
      assert.match(error.message, why)
      assert.include(error.message, toDo)
      assert.include(error.message, `Postgres at ${new URL(toWrongUrl(wrong)).host}/`)
      assert.notInclude(inspect(error, { depth: 20 }), "sekret99")
    }
  )

  it.each([
    ["folder", "a folder that is there", (folder: string) => join(folder, "gone", "signalbox.db")],
    ["file", "must be a file", (folder: string) => folder],
    ["database", "name another file", (folder: string) => join(folder, "letter.txt")]
  ])("said of a SQLite %s that is none neither why nor what to do", async (_, toDo, pathIn) => {
    const folder = mkdtempSync(join(tmpdir(), "signalbox-mistyped-"))
    try {
      writeFileSync(join(folder, "letter.txt"), "Dear Ada, ".repeat(1_000))
      const error = await openStorage(sqlite({ path: pathIn(folder) }))
      assert.strictEqual(error._tag, "StorageUnavailable")
      assert.match(error.message, /unable to open database file|file is not a database/)
      assert.include(error.message, toDo)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it("kept everything in a file that is gone with the process when SQLite was given no path", async () => {
    const error = await openStorage(sqlite({ path: "" }))
    assert.include(error.message, "is the variable that holds it set?")
  })

  it("told the password of an address that was given for a path", async () => {
    const error = await openStorage(sqlite({ path: "postgres://user:sekret99@host/db" }))
    assert.include(error.message, "use postgres({ url })")
    assert.notInclude(inspect(error, { depth: 20 }), "sekret99")
  })

  it("let a second box into a SQLite file by the name of a link", async () => {
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
  it("let a second instance in by the other name", async () => {
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

/** Makes one where `options` let it, and tells what became of that. */
const makeInstance = async (path: string, options: Partial<Options>) => {
  const stores = sqlite({ path, lockWaitMillis: 50 })
  const instance = await make({ upstreams: [], models: [], stores, ...options }, offlinePlatform)
  await instance.close()
  return "closed"
}

const withFolder = async (test: (path: string) => Promise<void>) => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-making-"))
  try {
    await test(join(folder, "box.db"))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe("a box on a SQLite file", () => {
  it("lets go of it where it cannot be made", () =>
    withFolder(async (path) => {
      const error: unknown = await makeInstance(path, {
        keys: [{ key: "", kind: "member" }]
      }).catch((cause: unknown) => cause)
      assert.match(String(error), /a member key is empty/)
      assert.strictEqual(await makeInstance(path, {}), "closed")
    }))

  it("lets go of it where it is stopped while it is made", () =>
    withFolder(async (path) => {
      const opened = Promise.withResolvers<void>()
      const models: CatalogSource = { name: "a source that hangs", load: Effect.never }
      const stores = Layer.tap(sqlite({ path }), () => Effect.sync(opened.resolve))
      const making = Effect.runFork(
        Effect.scoped(
          Layer.build(Layer.provide(layer({ upstreams: [], models, stores }), offlinePlatform))
        )
      )
      await opened.promise
      await Effect.runPromise(Fiber.interrupt(making))
      assert.strictEqual(await makeInstance(path, {}), "closed")
    }))
})
