import { execFileSync, spawnSync } from "node:child_process"
import { closeSync, openSync, readFileSync, writeSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { expect, onTestFinished, test } from "vitest"
import { checkFault, type Fault, maxLines } from "./checkFault.ts"
import { startOnSqlite } from "./startStorageInstance.ts"

type OnSqlite = Awaited<ReturnType<typeof startOnSqlite>>

const lock = (): Fault<OnSqlite> => {
  let other: DatabaseSync | undefined
  return {
    fail: async ({ path }) => {
      other = new DatabaseSync(path)
      other.exec("BEGIN EXCLUSIVE")
    },
    recover: async () => other?.close(),
    reason: "another connection holds a lock of the file (SQLite 5)"
  }
}

const overwrite = async ({ path, sql }: OnSqlite, content: Buffer) => {
  const file = openSync(path, "r+")
  writeSync(file, content, 0, content.length, 0)
  closeSync(file)
  // The pages in memory are as they were.
  await sql("PRAGMA shrink_memory")
}

/** Overwrites pages of the file, which are chosen by their number. */
const corrupt = (findPages: (running: OnSqlite) => Promise<(page: number) => boolean>) => {
  let original = Buffer.alloc(0)
  return {
    fail: async (running: OnSqlite) => {
      const isSpoilt = await findPages(running)
      await running.sql("PRAGMA wal_checkpoint(TRUNCATE)")
      const [row] = await running.sql("PRAGMA page_size")
      const size = Number(row?.["page_size"])
      original = readFileSync(running.path)
      const content = Buffer.from(original)
      for (let page = 1; page * size <= content.length; page++) {
        if (isSpoilt(page)) content.fill(0x5a, (page - 1) * size, page * size)
      }
      await overwrite(running, content)
    },
    recover: (running: OnSqlite) => overwrite(running, original)
  }
}

const faults: Readonly<Record<string, Fault<OnSqlite>>> = {
  "SQLITE_BUSY, a lock of another connection": lock(),
  SQLITE_READONLY: {
    fail: ({ sql }) => sql("PRAGMA query_only = on"),
    recover: ({ sql }) => sql("PRAGMA query_only = off"),
    reason: "the file cannot be written to (SQLite 8)"
  },
  "SQLITE_CORRUPT, pages of another content": {
    ...corrupt(async () => (page) => page > 1),
    reason: "the file is corrupt (SQLite 11)"
  },
  "SQLITE_CORRUPT, a table that few requests need": {
    ...corrupt(async ({ sql }) => {
      const [row] = await sql("SELECT rootpage FROM sqlite_schema WHERE name = 'api_keys'")
      return (page) => page === Number(row?.["rootpage"])
    }),
    fails: ["management"]
  },
  // The least that it can be is the present size; what still fits into its pages succeeds.
  "SQLITE_FULL, a file that may not grow": {
    fail: ({ sql }) => sql("PRAGMA max_page_count = 1"),
    recover: ({ sql }) => sql("PRAGMA max_page_count = 1000000"),
    fails: ["management"],
    reason: "the disk is full (SQLite 13)"
  },
  "SQLITE_ERROR, a lost table": {
    fail: ({ sql }) => sql("ALTER TABLE reservations RENAME TO moved"),
    recover: ({ sql }) => sql("ALTER TABLE moved RENAME TO reservations"),
    reason: "the schema has lost reservations.",
    fails: ["chat", "decision"]
  }
}

test.each(Object.entries(faults))(
  "%s is 503 with few lines in the log, and over without a restart",
  async (_, fault) => {
    await using running = await startOnSqlite()
    expect(await checkFault(running, fault)).toBeLessThanOrEqual(maxLines)
  },
  120_000
)

/**
 * Limits the file size that this process may write, independent of the disk: `setrlimit` of Linux. Other systems have
 * no such command.
 */
const limitFileSize = (bytes: string) =>
  execFileSync("prlimit", ["--pid", String(process.pid), `--fsize=${bytes}:`])

test.skipIf(spawnSync("prlimit", ["--version"]).status !== 0)(
  "SQLITE_IOERR, a write that fails, is 503 with few lines in the log, and over without a restart",
  async () => {
    await using running = await startOnSqlite()
    onTestFinished(() => void limitFileSize("unlimited"))
    const lineCount = await checkFault(running, {
      fail: async ({ sql }) => {
        // The next write makes the WAL grow from nothing.
        await sql("PRAGMA wal_checkpoint(TRUNCATE)")
        limitFileSize("1")
      },
      recover: async () => limitFileSize("unlimited"),
      reason: "the file or its disk fails (SQLite 10)"
    })
    expect(lineCount).toBeLessThanOrEqual(maxLines)
  },
  120_000
)
