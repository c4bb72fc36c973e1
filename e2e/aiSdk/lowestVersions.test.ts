/** The provider with the lowest `@ai-sdk/provider` that the package takes as its peer. */
import { execFile } from "node:child_process"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { build } from "esbuild"
import { expect, test } from "vitest"
import { bundleOptions } from "../../vitest.programs.ts"

const root = join(import.meta.dirname, "../..")
const folder = join(root, "node_modules/.cache/programs")

test("chats, streams, embeds and reranks with the lowest versions", async () => {
  mkdirSync(folder, { recursive: true })
  const outfile = join(folder, "aiSdkLowest.mjs")
  const { metafile } = await build({
    ...bundleOptions,
    entryPoints: [join(import.meta.dirname, "lowestProgram.ts")],
    outfile,
    metafile: true,
    alias: {
      ai: join(root, "node_modules/ai-lowest"),
      "@ai-sdk/provider": join(root, "node_modules/@ai-sdk/provider-lowest")
    }
  })
  const bundled = Object.keys(metafile.inputs).join("\n")
  const versions = new Set(bundled.match(/(?<=@ai-sdk\+provider@)[\d.]+/g))
  expect([...versions]).toEqual(["4.0.0"])
  await promisify(execFile)(process.execPath, [outfile])
})
