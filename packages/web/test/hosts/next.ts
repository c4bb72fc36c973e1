/** Next.js: a route handler of an application that `next build` has built. */
import { execFileSync } from "node:child_process"
import { createServer, type RequestListener } from "node:http"
import { createRequire } from "node:module"
import { join } from "node:path"
import { listen } from "@signalbox/testing/contracts"
import { signalbox } from "@signalbox/web"
import { getInstalled, type Host } from "./Host.ts"
import { registerHandler } from "./registry.ts"

/** Not imported, because its types change those of `process.env` for all tests. */
const makeNext: (options: { readonly dev: boolean; readonly dir: string }) => {
  readonly prepare: () => Promise<void>
  readonly getRequestHandler: () => RequestListener
} = createRequire(import.meta.url)("next")

const dir = join(import.meta.dirname, "../next")

/** The route handler of the application answers with what is registered under the header `x-harness`. */
const buildAndPrepare = async () => {
  execFileSync(
    process.execPath,
    [join(import.meta.dirname, "../../node_modules/next/dist/bin/next"), "build"],
    {
      cwd: dir,
      env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
      stdio: "inherit"
    }
  )
  const app = makeNext({ dev: false, dir })
  await app.prepare()
  return app.getRequestHandler()
}

let prepared: ReturnType<typeof buildAndPrepare> | undefined

export const next: Host = {
  name: "Next.js 16, built",
  makeHarness: async ({ instance, mounts }) => {
    const handle = await (prepared ??= buildAndPrepare())
    const mount = mounts.join("")
    const ai = signalbox(instance, { mount })
    const name = registerHandler(async (request) => {
      if (ai.match(request)) return ai(request)
      const isOwn = new URL(request.url).pathname === `${mount}/own`
      return isOwn ? new Response(request.body) : new Response(null, { status: 404 })
    })
    return listen(
      createServer((request, response) => {
        request.headers["x-harness"] = name
        response.setHeader("x-host", "here")
        handle(request, response)
      })
    )
  },
  traits: {
    installed: getInstalled("next", 16),
    malformedPathStatus: 500,
    normalizesUrls: true,
    omitsContentLength: true
  }
}
