import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { build } from "esbuild"
import { expect, it } from "vitest"

const bundle = async (code: string) => {
  const { metafile, outputFiles } = await build({
    stdin: { contents: code, resolveDir: join(import.meta.dirname, "../src") },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    metafile: true,
    write: false
  })
  const inputs = Object.keys(metafile.inputs)
  return { bytes: gzipSync(outputFiles[0]?.contents ?? "", { level: 9 }).length, inputs }
}

it("Decisions and chats are at most 12 kB, gzipped, and without other groups", async () => {
  const { bytes, inputs } = await bundle(`
    import { chat, connect, decisions, isClientError } from "./index.ts"
    const connection = connect({ baseUrl: "/ai" })
    export const client = { ...chat(connection), decide: decisions(connection).create, isClientError }
  `)
  expect(bytes).toBeGreaterThan(1_000)
  expect(bytes).toBeLessThanOrEqual(12_000)
  expect(inputs.length).toBeGreaterThan(5)
  const all = await bundle(`export { createClient } from "./index.ts"`)
  expect(bytes).toBeLessThan(all.bytes)
})

it("has no dependency: everything comes from its own sources", async () => {
  const { inputs } = await bundle(`export * from "./index.ts"`)
  const sources = inputs.filter((path) => path !== "<stdin>")
  expect(sources.filter((path) => !path.includes("packages/client/src/"))).toEqual([])
})
