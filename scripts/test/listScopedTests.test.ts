/** `npm run test:rest` repeats exactly the test files that `npm test` runs as a sample. */
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, relative } from "node:path"
import { afterAll, expect, it } from "vitest"
import { onlyInFull } from "../../vitest.scope.ts"
import { longFiles } from "../../vitest.longFiles.ts"
import { listScopedTests } from "../listScopedTests.ts"

const root = join(import.meta.dirname, "../..")
const listed = listScopedTests(root)

const folder = mkdtempSync(join(tmpdir(), "scoped-"))
afterAll(() => rmSync(folder, { recursive: true }))

const named = new Map<string, ReadonlyArray<string>>()

/** The files that a file names in quotes as relative paths, for any use. */
const listNamed = (file: string): ReadonlyArray<string> => {
  const found =
    named.get(file) ??
    Array.from(
      readFileSync(file, "utf8").matchAll(/"(\.{1,2}\/[^"\n]+\.tsx?)"/g),
      ([, path = ""]) => join(dirname(file), path)
    ).filter((path) => existsSync(path))
  named.set(file, found)
  return found
}

const reachesScope = (test: string): boolean => {
  const reached = new Set([test])
  for (const file of reached) for (const named of listNamed(file)) reached.add(named)
  return reached.has(join(root, "vitest.scope.ts"))
}

it("lists what imports the scope directly, through others, again as its own, or when it runs", () => {
  const files = {
    "vitest.scope.ts": "export const pickScope = 1",
    "e2e/direct.test.ts": 'import { pickScope } from "../vitest.scope.ts"',
    "e2e/support/hosts.ts": 'import { pickScope } from "../../vitest.scope.ts"',
    "e2e/support/index.ts": 'export * from "./hosts.ts"',
    "packages/core/test/through.test.ts": 'import "../../../e2e/support/index.ts"',
    "bench/test/later.test.ts": 'const scope = await import("../../vitest.scope.ts")',
    "e2e/type.test.ts": 'import type { Host } from "./support/hosts.ts"',
    "e2e/apart.test.ts": 'import { it } from "vitest"',
    "packages/core/test/lowest/express.test.ts": 'import { it } from "vitest"',
    "packages/core/node_modules/x/test/direct.test.ts": 'import "../../../../../vitest.scope.ts"'
  }
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  expect(listScopedTests(folder)).toEqual([
    "bench/test/later.test.ts",
    "e2e/direct.test.ts",
    "packages/core/test/lowest/express.test.ts",
    "packages/core/test/through.test.ts"
  ])
})

it("lists each test file of this repository that reaches the scope", () => {
  const tests = globSync("{packages,examples,e2e,scripts,bench}/**/*.test.ts", {
    cwd: root,
    exclude: (path) => /(?:^|\/)(?:node_modules|dist)$/.test(path)
  }).map((file) => join(root, file))
  // This one names it in the texts above.
  const others = tests.filter((file) => file !== import.meta.filename)
  const reaching = others.filter(reachesScope).map((file) => relative(root, file))
  expect(reaching.length).toBeGreaterThan(100)
  expect(reaching.filter((file) => !listed.includes(file))).toEqual([])
})

it("lists each test file that runs in full alone", () => {
  for (const pattern of onlyInFull) {
    const files = globSync(pattern, { cwd: root })
    expect([pattern, files.length > 0]).toEqual([pattern, true])
    expect(files.filter((file) => !listed.includes(file))).toEqual([])
  }
})

it.each(longFiles)("%s, which starts early, exists", (file) => {
  expect(existsSync(join(root, file))).toBe(true)
})

it("needs no other file that reads the size of a run", () => {
  const readers = globSync("{packages,examples,e2e,scripts,bench}/**/*.{ts,mjs}", {
    cwd: root,
    exclude: (path) => /(?:^|\/)(?:node_modules|dist)$/.test(path)
  }).filter((file) => /env(?:\.|\[")SIGNALBOX_TESTS/.test(readFileSync(join(root, file), "utf8")))
  expect(readers).toEqual([])
})
