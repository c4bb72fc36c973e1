import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { findDifference } from "../../../src/domains/fleet/layerFleet.ts"
import type { FleetMember } from "../../../src/domains/fleet/makeFleet.ts"
import { libraryVersion } from "../../../src/instance/libraryVersion.ts"

const makeMember = (fingerprint: string, version = "1.0.0"): FleetMember => ({
  report: {
    id: crypto.randomUUID(),
    started_at: "2026-11-30T12:00:00.000Z",
    version,
    status: "ready",
    configuration: { fingerprint, made_at: "2026-11-30T12:00:00.000Z", models: 1 },
    running: 0,
    endpoints: [],
    connection_waits: [],
    queues: []
  },
  seenAt: 0,
  isSelf: false,
  isLost: false
})

describe("findDifference", () => {
  it("finds none among processes of one configuration and version", () => {
    assert.isUndefined(findDifference([]))
    assert.isUndefined(findDifference([makeMember("a"), makeMember("a")]))
  })

  it("tells how many processes have which configuration or version", () => {
    assert.match(
      findDifference([makeMember("a"), makeMember("a"), makeMember("b")]) ?? "",
      /^the 3 processes on this store have served different configurations \(a in 2, b in 1\); replace\(\)/
    )
    assert.match(
      findDifference([makeMember("a"), makeMember("a", "2.0.0")]) ?? "",
      /different versions of the library \(1\.0\.0 in 1, 2\.0\.0 in 1\)/
    )
  })
})

describe("libraryVersion", () => {
  it("is that of the package; if not, run scripts/writeVersion.ts", () => {
    const manifest = new URL("../../../package.json", import.meta.url)
    const { version }: { readonly version: string } = JSON.parse(readFileSync(manifest, "utf8"))
    assert.strictEqual(libraryVersion, version)
  })
})
