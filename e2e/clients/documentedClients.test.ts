/** Runs the blocks of the page about client libraries as they are, against an instance. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { reply } from "@signalbox/testing"
import { transform } from "esbuild"
import { expect, onTestFinished, test, vi } from "vitest"
import { extractSnippets } from "../../scripts/extractSnippets.ts"
import { pickHosts } from "../support/pickHosts.ts"
import { startClientServer } from "./startClientServer.ts"

const root = join(import.meta.dirname, "../..")
const snippets = extractSnippets(
  readFileSync(join(root, "docs/guides/client-libraries.md"), "utf8")
).map(({ text }) => ({ text, library: / from "(@?[\w/-]+)"/.exec(text)?.[1] ?? "" }))

const [host] = pickHosts(import.meta.filename)

test("every client has a block", () => {
  expect(snippets.map(({ library }) => library)).toEqual([
    "openai",
    "@anthropic-ai/sdk",
    "@openrouter/ai-sdk-provider",
    "@ai-sdk/openai",
    "@ai-sdk/anthropic",
    "@langchain/openai",
    "@langchain/anthropic",
    "@openrouter/sdk",
    "@openrouter/agent"
  ])
})

test.each(snippets)("the block of $library gets an answer", async ({ library, text }) => {
  const { asking, first } = await startClientServer(host!, "chat")
  first.always(reply.chat(["It ", "is ", "calm."]))
  const code = text
    .replaceAll("http://127.0.0.1:3000/ai", asking.root)
    .replaceAll("sk-ada", asking.apiKey)
    .replaceAll("acme/pilot", asking.model)
  // Within the project, so that it finds the libraries.
  const folder = join(root, "node_modules/.cache/documented-clients")
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${library.replaceAll(/\W/g, "-")}-${process.pid}.mjs`)
  writeFileSync(file, (await transform(code, { loader: "ts" })).code)
  const log = vi.spyOn(console, "log").mockReturnValue()
  onTestFinished(() => {
    log.mockRestore()
    rmSync(file)
  })
  await import(pathToFileURL(file).href)
  expect(log.mock.calls.length).toBeGreaterThan(0)
  expect(log.mock.calls.flat()).toEqual(log.mock.calls.map(() => "It is calm."))
  expect(first.requests.length).toBe(log.mock.calls.length)
})
