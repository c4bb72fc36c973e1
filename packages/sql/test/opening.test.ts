import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { inspect } from "node:util"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { assert, describe, it } from "vitest"
import { postgres, sqlite } from "../src/index.ts"

const opened = (stores: ReturnType<typeof postgres> | ReturnType<typeof sqlite>) =>
  Effect.runPromise(Effect.flip(Effect.scoped(Layer.build(stores))))

describe("storage that cannot be opened", () => {
  it.each([
    "postgres://user:sekret99@host:99999/db",
    "postgres://user:sekret99 with a blank@host:port/db",
    "user:sekret99@host/db"
  ])("told the password of a mistyped address: %s", async (url) => {
    for (const given of [url, Redacted.make(url)]) {
      const error = await opened(postgres({ url: given }))
      assert.strictEqual(error._tag, "StorageUnavailable")
      assert.include(error.message, "postgres://user:password@host:5432/database")
      assert.notInclude(inspect(error, { depth: 10 }), "sekret99")
    }
  })

  it("says what to look at when there is no address", async () => {
    const error = await opened(postgres({ url: undefined }))
    assert.include(error.message, "is the variable that holds it set?")
  })

  it("said ConnectionError of a path without a folder, and UnknownError of a file that is something else", async () => {
    const folder = mkdtempSync(join(tmpdir(), "signalbox-paths-"))
    try {
      const page = join(folder, "page.html")
      writeFileSync(page, "<!doctype html>".repeat(100))
      const [nowhere, other] = [
        await opened(sqlite({ path: join(folder, "none", "box.db") })),
        await opened(sqlite({ path: page }))
      ]
      assert.match(nowhere.message, /unable to open database file: its folder must be there/)
      assert.match(other.message, /file is not a database: name another one/)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it("said no more of a Postgres that is not there than that it failed to connect", async () => {
    const error = await opened(postgres({ url: "postgres://me:sekret99@127.0.0.1:1/nothing" }))
    assert.include(error.message, "ECONNREFUSED 127.0.0.1:1")
    assert.notInclude(inspect(error, { depth: 10 }), "sekret99")
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
