/** Writes one violation at a time into a temporary tree and expects scripts/layers.ts to name it. */
import { spawnSync } from "node:child_process"
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { listImpurities, listViolations } from "../layers.ts"

const scripts = join(import.meta.dirname, "..")
let root: string

beforeEach(() => {
  root = mkdtempSync(join(realpathSync(tmpdir()), "layers-"))
})
afterEach(() => {
  rmSync(root, { recursive: true })
})

const writeSource = (file: string, text: string): void => {
  mkdirSync(join(root, dirname(file)), { recursive: true })
  writeFileSync(join(root, file), text)
}
const writeCoreSource = (file: string, text: string): void =>
  writeSource(`packages/core/src/${file}`, text)

describe("the layers of the core", () => {
  it.each([
    ["an import of a lower layer", "routing/plan.ts", "../engine/catalog/Catalog.ts"],
    ["an import within a room", "api/server/App.ts", "./mount/Mount.ts"],
    [
      "the settings, from almost anywhere",
      "engine/upstreams/postJson.ts",
      "../../instance/Settings.ts"
    ],
    ["anything, from an entry point", "index.ts", "./api/server/App.ts"],
    [
      "HTTP operations of a domain, from what they serve",
      "api/byok/byokHandlers.ts",
      "../../tenants/byok/Credentials.ts"
    ],
    [
      "the contract, from the operations of a domain",
      "api/byok/ByokApi.ts",
      "../contract/pages.ts"
    ],
    ["a domain that nobody listed", "domains/presets/Presets.ts", "../../routing/Routing.ts"],
    ["an entry point beside another", "Signalbox.ts", "./layer.ts"]
  ])("allows %s", (_, file, specifier) => {
    writeCoreSource(file, `import { x } from "${specifier}"\nexport { x }\n`)
    expect(listViolations(root)).toEqual([])
  })

  it.each([
    [
      "a higher layer",
      "values/Money.ts",
      "../engine/ledger/Ledger.ts",
      /values \(layer 0\).*engine\/ledger is in layer 4/
    ],
    [
      "a neighbour",
      "engine/ledger/Ledger.ts",
      "../health/Health.ts",
      /engine\/ledger and engine\/health are both in layer 4/
    ],
    [
      "the settings, from below them",
      "values/Money.ts",
      "../instance/Settings.ts",
      /instance is in layer 1/
    ],
    [
      "the server, from the operations of a domain",
      "api/byok/byokHandlers.ts",
      "../server/App.ts",
      /layer 18.*api\/server is in layer 22/
    ],
    [
      "HTTP operations, from the domain below them",
      "tenants/byok/Credentials.ts",
      "../../api/byok/ByokApi.ts",
      /tenants\/byok \(layer 8\)/
    ],
    [
      "the operations of a neighbour",
      "api/byok/byokHandlers.ts",
      "../auth/keys.ts",
      /both in layer 18/
    ],
    [
      "an entry point",
      "api/server/App.ts",
      "../../Signalbox.ts",
      /api\/server \(layer 22\).*entry points is in layer 25/
    ],
    ["a folder without a layer", "api/Handler.ts", "../utils/text.ts", /utils has no layer/],
    ["a file without a layer", "api/Handler.ts", "../Extra.ts", /Extra.ts has no layer/],
    [
      "a file outside the sources",
      "api/Handler.ts",
      "../../test/fake.ts",
      /stays in packages\/core\/src/
    ]
  ])("forbids %s", (_, file, specifier, rule) => {
    writeCoreSource(file, `import { x } from "${specifier}"\nexport { x }\n`)
    expect(listViolations(root)).toEqual([
      { file: `packages/core/src/${file}`, import: specifier, rule: expect.stringMatching(rule) }
    ])
  })

  it.each([
    ["types only", `import type { X } from "../../routing/plan.ts"`],
    ["one type among values", `import {\n  // it's here\n  type X\n} from "../../routing/plan.ts"`],
    ["a re-export", `export { x } from "../../routing/plan.ts"`],
    ["everything re-exported", `export * as Routing from "../../routing/plan.ts"`],
    ["for its effects", `import "../../routing/plan.ts"`],
    ["late", `export const later = () => import("../../routing/plan.ts")`],
    ["inside a type", `export type X = import("../../routing/plan.ts").X`]
  ])("sees an import %s", (_, text) => {
    writeCoreSource("engine/catalog/Catalog.ts", text)
    expect(listViolations(root).map((violation) => violation.import)).toEqual([
      "../../routing/plan.ts"
    ])
  })

  it("ignores comments and strings", () => {
    writeCoreSource(
      "catalog/Catalog.ts",
      `/** import { x } from "../../routing/plan.ts" */\nexport const s = 'import "../http/Api.ts"'\n`
    )
    expect(listViolations(root)).toEqual([])
  })
})

describe("the dependencies between packages", () => {
  it.each([
    ["packages/express/src/index.ts", "@signalbox/node"],
    ["packages/express/test/mount.test.ts", "@signalbox/express"],
    ["packages/openai/test/ladder.test.ts", "@signalbox/testing"],
    ["packages/express/test/lowest/express.test.ts", "../../../../vitest.lowest.ts"]
  ])("allows %s to import %s", (file, specifier) => {
    writeSource(file, `import type { X } from "${specifier}"\nexport type { X }\n`)
    expect(listViolations(root)).toEqual([])
  })

  it.each([
    ["packages/core/src/index.ts", "@signalbox/node", /core import only: no other package/],
    [
      "packages/node/src/index.ts",
      "@signalbox/express",
      /sources of node import only: core, prices$/
    ],
    ["packages/openai/src/index.ts", "@signalbox/testing", /sources of openai import only: core$/],
    ["packages/openai/src/index.ts", "../../core/src/index.ts", /stays in packages\/openai\/src/],
    ["packages/openai/test/ladder.test.ts", "../../core/src/x.ts", /stays in packages\/openai$/],
    ["packages/openai/src/index.ts", "../../../vitest.lowest.ts", /stays in packages\/openai\/src/],
    ["packages/openai/test/ladder.test.ts", "@signalbox/fastify", /tests of openai import only/],
    ["packages/newcomer/src/index.ts", "@signalbox/core", /newcomer has no dependencies/]
  ])("forbids %s to import %s", (file, specifier, rule) => {
    writeSource(file, `import type { X } from "${specifier}"\nexport type { X }\n`)
    expect(listViolations(root)).toEqual([
      { file, import: specifier, rule: expect.stringMatching(rule) }
    ])
  })
})

it("fails as a command, printing file, import and rule", () => {
  cpSync(scripts, join(root, "scripts"), {
    recursive: true,
    filter: (path) => !path.includes("node_modules")
  })
  symlinkSync(join(scripts, "../node_modules"), join(root, "node_modules"))
  const run = () =>
    spawnSync(process.execPath, [join(root, "scripts/layers.ts")], { encoding: "utf8" })
  writeCoreSource("values/Money.ts", `export {}\n`)
  expect(run()).toMatchObject({ status: 0 })
  writeCoreSource(
    "values/Money.ts",
    `import type { Plan } from "../routing/plan.ts"\nexport type { Plan }\n`
  )
  const { status, stderr } = run()
  expect(status).toBe(1)
  expect(stderr).toContain("packages/core/src/values/Money.ts")
  expect(stderr).toContain("../routing/plan.ts")
  expect(stderr).toContain("values (layer 0) imports only lower layers; routing is in layer 9")
})

describe("the purity of planning", () => {
  it.each([
    ["a clock", `import * as Clock from "effect/Clock"\nexport { Clock }\n`],
    ["a module of Node", `export { readFileSync } from "node:fs"\n`]
  ])("rejects %s that a plan reaches through another file", (_, text) => {
    writeCoreSource("routing/plan/plan.ts", `export * from "../../engine/catalog/Price.ts"\n`)
    writeCoreSource("engine/catalog/Price.ts", text)
    expect(listImpurities(root).map(({ file }) => file)).toEqual([
      "packages/core/src/engine/catalog/Price.ts"
    ])
  })

  it("allows pure modules, and services as types", () => {
    writeCoreSource(
      "routing/plan/plan.ts",
      `import * as Option from "effect/Option"\nimport type { Health } from "../../engine/health/Health.ts"\n` +
        `import { type Clock } from "effect/Clock"\nexport { type Clock, type Health, Option }\n`
    )
    expect(listImpurities(root)).toEqual([])
  })
})
