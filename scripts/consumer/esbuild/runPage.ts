/** Runs the page's bundle with only the globals of browsers. */
import { readFileSync } from "node:fs"
import { createContext, runInContext } from "node:vm"
import { Signalbox, signalbox } from "@signalbox/node"
import { openai } from "@signalbox/openai"
import { ScriptedUpstream } from "@signalbox/testing"
import { decideAndStream, type Loaded } from "../decideAndStream.ts"

const page: Partial<Pick<Loaded, "createClient">> = {}
const globals = {
  AbortController,
  AbortSignal,
  clearTimeout,
  fetch,
  Headers,
  setTimeout,
  TextDecoder,
  TextDecoderStream,
  TextEncoder,
  URL,
  URLSearchParams
}
runInContext(readFileSync("esbuild/out/page.js", "utf8"), createContext({ ...globals, page }))
const { createClient } = page
if (createClient === undefined) throw new Error("the page's bundle exports no client")

await decideAndStream("esbuild for browsers", {
  createClient,
  openai,
  ScriptedUpstream,
  Signalbox,
  signalbox
})
