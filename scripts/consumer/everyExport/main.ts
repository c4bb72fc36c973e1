/** Imports and requires every path that the installed packages export: both must give the same objects. */
import assert from "node:assert/strict"
import { globSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"

const require = createRequire(import.meta.url)
const manifests = globSync("node_modules/@signalbox/*/package.json")
const specifiers = manifests.flatMap((path) => {
  const { exports, name }: { exports: Record<string, unknown>; name: string } = JSON.parse(
    readFileSync(path, "utf8")
  )
  return Object.keys(exports).map((subpath) => `${name}${subpath.slice(1)}`)
})
assert.ok(specifiers.length > manifests.length)
for (const specifier of specifiers) {
  const isJson = specifier.endsWith(".json")
  const imported: Record<string, unknown> = await import(specifier, {
    with: isJson ? { type: "json" } : {}
  })
  const required: Record<string, unknown> = require(specifier)
  if (isJson) {
    assert.deepEqual(imported["default"], required)
    continue
  }
  assert.notDeepEqual(Object.keys(imported), [], `${specifier} exports nothing`)
  for (const [name, value] of Object.entries(imported)) {
    assert.equal(required[name], value, `${specifier} has two copies of ${name}`)
  }
}
console.log(
  `everyExport: imported and required ${specifiers.length} paths of ${manifests.length} packages on node ${process.version}`
)
