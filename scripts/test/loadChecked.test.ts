import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { expect, onTestFinished, test } from "vitest"
import { loadChecked } from "../guard/loadChecked.ts"

const requirements = { name: "@signalbox/one", node: "22.19.0", effect: "4.1.0" }

/** A package beside Effect of that version, or without Effect. */
const writePackage = (effect: string | undefined): string => {
  const folder = mkdtempSync(join(tmpdir(), "guarded-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }))
  writeFileSync(join(folder, "entry.js"), "export const isLoaded = true")
  if (effect !== undefined) {
    mkdirSync(join(folder, "node_modules/effect"), { recursive: true })
    const manifest = JSON.stringify({ name: "effect", version: effect })
    writeFileSync(join(folder, "node_modules/effect/package.json"), manifest)
  }
  return pathToFileURL(join(folder, "guard.js")).href
}

test.each(["4.1.0", "4.1.7", "4.2.0", "4.10.0-beta.1"])("accepts effect %s", (effect) => {
  expect(loadChecked(writePackage(effect), "./entry.js", requirements)["isLoaded"]).toBe(true)
})

test.each([
  ["3.22.4", "there is effect 3.22.4"],
  ["4.0.9", "there is effect 4.0.9"],
  ["5.0.0", "there is effect 5.0.0"],
  [undefined, "there is none"]
])("the first error beside effect %s names the version", (effect, found) => {
  expect(() => loadChecked(writePackage(effect), "./entry.js", requirements)).toThrow(
    `@signalbox/one needs effect ^4.1.0; ${found}. Run: npm install effect@^4.1.0`
  )
})

test("the first error on an old Node names the version", () => {
  expect(() =>
    loadChecked(writePackage("4.1.0"), "./entry.js", { ...requirements, node: "99.1.0" })
  ).toThrow(`@signalbox/one needs Node 99.1.0 or newer; this is Node ${process.versions.node}.`)
})
