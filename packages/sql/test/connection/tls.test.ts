import { execFileSync } from "node:child_process"
import { chmodSync, chownSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { selfSignedCertificate } from "@signalbox/testing/contracts"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { postgres, type PostgresOptions } from "../../src/index.ts"
import { type RunningPostgres, startPostgres } from "../startPostgres.ts"

const { cert, key } = selfSignedCertificate()

/** Files that the user of the server owns: Postgres refuses to run as root, and keys that others can read. */
const writeFiles = () => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-tls-"))
  const files = {
    cert: join(folder, "server.crt"),
    hba: join(folder, "pg_hba.conf"),
    key: join(folder, "server.key")
  }
  writeFileSync(files.cert, cert)
  writeFileSync(files.hba, "host postgres all all password\nhostssl template1 all all password\n")
  writeFileSync(files.key, key)
  chmodSync(files.key, 0o600)
  if (process.getuid?.() === 0) {
    const owner = Number(execFileSync("id", ["-u", "postgres"], { encoding: "utf8" }))
    for (const path of [folder, ...Object.values(files)]) chownSync(path, owner, owner)
  }
  return files
}

describe("Postgres over TLS", () => {
  let server: RunningPostgres | undefined
  beforeAll(async () => {
    const files = writeFiles()
    server = await startPostgres([
      "fsync=off",
      "ssl=on",
      `ssl_cert_file=${files.cert}`,
      `ssl_key_file=${files.key}`,
      `hba_file=${files.hba}`
    ])
  }, 60_000)
  afterAll(() => server?.stop())

  const open = (options: Omit<PostgresOptions, "url">, query = "") =>
    SqlClient.SqlClient.use(
      (sql) => sql<{ ssl: boolean }>`SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()`
    ).pipe(
      Effect.map(([row]) => (row?.ssl === true ? "encrypted" : "plain")),
      Effect.provide(Layer.fresh(postgres({ url: `${server?.url}${query}`, ...options }))),
      Effect.catchTag("StorageUnavailable", ({ message }) => Effect.succeed(message)),
      Effect.runPromise
    )

  it("encrypts with a given authority", async () => {
    assert.strictEqual(await open({ ssl: { ca: cert } }), "encrypted")
  })

  it("does not encrypt by default or with ssl: false", async () => {
    assert.strictEqual(await open({}), "plain")
    assert.strictEqual(await open({ ssl: false }, "?sslmode=require"), "plain")
  })

  it.each(["?sslmode=require", "?sslmode=verify-full"])(
    "says what to do about an untrusted certificate: %s",
    async (query) => {
      const message = await open({}, query)
      assert.match(message, /self.signed certificate/i)
      assert.include(message, "ssl: { ca }")
    }
  )

  it("prefers the option over the url", async () => {
    assert.strictEqual(await open({ ssl: { ca: cert } }, "?sslmode=disable"), "encrypted")
  })

  it("suggests sslmode when the server requires encryption", async () => {
    const url = new URL(server?.url ?? "")
    url.pathname = "/template1"
    const error = await Effect.runPromise(
      Effect.flip(Effect.scoped(Layer.build(postgres({ url: url.href }))))
    )
    assert.match(error.message, /no encryption/)
    assert.include(error.message, "?sslmode=require")
  })

  it("names an unknown sslmode", async () => {
    assert.include(await open({}, "?sslmode=sometimes"), 'Unrecognized sslmode in URL: "sometimes"')
  })
})
