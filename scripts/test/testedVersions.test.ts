/** The documentation names the versions of hosts that the tests run. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { expect, it } from "vitest"
import { lowestVersions } from "../../vitest.lowest.ts"

const root = join(import.meta.dirname, "../..")

/** Read from its file, because some packages do not export their manifest. */
const readVersion = (owner: string, name: string): string =>
  createRequire(import.meta.url)(
    join(root, "packages", owner, "node_modules", name, "package.json")
  ).version

const { express4, express5, fastify4, fastify5, h3, hono, nestExpress, next, nitro, sveltekit } =
  lowestVersions
const rows: ReadonlyArray<
  readonly [
    names: ReadonlyArray<string>,
    lowest: ReadonlyArray<string>,
    current: ReadonlyArray<string>
  ]
> = [
  [
    ["express"],
    [express4.express, express5.express],
    [readVersion("express", "express-4"), readVersion("express", "express")]
  ],
  [["fastify"], [fastify4.fastify, fastify5.fastify], [readVersion("fastify", "fastify")]],
  [["@nestjs/core"], [nestExpress["@nestjs/core"]], [readVersion("express", "@nestjs/core")]],
  ...(
    [
      [hono, ["hono", "@hono/node-server"]],
      [h3, ["h3"]],
      [nitro, ["nitro"]],
      [next, ["next"]],
      [sveltekit, ["@sveltejs/kit", "@sveltejs/adapter-node"]]
    ] as const
  ).map(
    ([lowest, names]) =>
      [
        names,
        names.map((name) => Object(lowest)[name]),
        names.map((name) => readVersion("web", name))
      ] as const
  )
]

it("the versions in the documentation are those that are tested", () => {
  const document = readFileSync(join(root, "docs/get-started/mounting.md"), "utf8")
  const [, table = ""] = /\| host \| lowest tested .*\n.*\n((?:\|.*\n)+)/.exec(document) ?? []
  expect(table.trimEnd().split("\n")).toEqual(
    rows.map(([names, lowest, current]) => {
      const code = names.map((name) => `\`${name}\``).join(", ")
      return `| ${code} | ${lowest.join(", ")} | ${current.join(", ")} |`
    })
  )
})
