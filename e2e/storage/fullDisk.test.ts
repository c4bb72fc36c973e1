/** Disks that are really full, which only root may make: small file systems in memory. */
import { execFileSync, spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { startPostgres } from "../../packages/sql/test/startPostgres.ts"
import { checkFault, maxLines } from "./checkFault.ts"
import { startLimitedInstance } from "./startLimitedInstance.ts"
import { runOnPostgres, startOnSqlite } from "./startStorageInstance.ts"

const mountDisk = (megabytes: number): string => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-disk-"))
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=755`, "tmpfs", folder])
  onTestFinished(() => void execFileSync("umount", ["--lazy", folder]))
  return folder
}

const canMount = (() => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-disk-"))
  const isMounted = spawnSync("mount", ["-t", "tmpfs", "tmpfs", folder]).status === 0
  if (isMounted) spawnSync("umount", [folder])
  return isMounted
})()

const fill = (disk: string): void => {
  for (let size = 1_048_576; size >= 512; size /= 2) {
    try {
      for (;;) writeFileSync(join(disk, "filler"), Buffer.alloc(size), { flag: "a" })
    } catch {
      // Nothing of this size fits any more.
    }
  }
}
const empty = (disk: string): void => rmSync(join(disk, "filler"))

test.skipIf(!canMount)(
  "SQLITE_FULL, a full disk, is 503 with few lines in the log, and over without a restart",
  async () => {
    const disk = mountDisk(8)
    await using running = await startOnSqlite({}, join(disk, "signalbox.db"))
    const lineCount = await checkFault(running, {
      fail: async () => fill(disk),
      recover: async () => empty(disk),
      fails: ["management"],
      reason: "the disk is full (SQLite 13)"
    })
    expect(lineCount).toBeLessThanOrEqual(maxLines)
  },
  120_000
)

test.skipIf(!canMount)(
  "53100, a full disk, is 503 with few lines in the log, and over without a restart",
  async () => {
    const disk = mountDisk(64)
    // When the tests run as root, the server runs as the user postgres.
    mkdirSync(join(disk, "space"))
    execFileSync("chown", ["postgres", join(disk, "space")])
    await using server = await startPostgres(["fsync=off"])
    await runOnPostgres(
      server.url,
      "public",
      `CREATE TABLESPACE small LOCATION '${join(disk, "space")}'`
    )
    await using running = await startLimitedInstance(server.url, "TABLESPACE small")
    const lineCount = await checkFault(running, {
      fail: async () => fill(disk),
      recover: async () => empty(disk),
      fails: ["management"],
      reason: "the disk of the database is full (SQLSTATE 53100)"
    })
    expect(lineCount).toBeLessThanOrEqual(maxLines)
  },
  120_000
)
