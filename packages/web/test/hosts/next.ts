/** Next.js: a route handler of an application that `next build` has built. */
import { execFile } from "node:child_process"
import type { RequestListener } from "node:http"
import { join } from "node:path"
import { promisify } from "node:util"
import { getInstalled, type Host, requireFrom } from "./Host.ts"
import { makeBuiltHarness } from "./makeBuiltHarness.ts"

/** Not imported, because its types change the types of `process.env` for all tests. */
type MakeNext = (options: { readonly dev: boolean; readonly dir: string }) => {
  readonly prepare: () => Promise<void>
  readonly getRequestHandler: () => RequestListener
}

/** `dir` has the application, and `folder` the packages. */
export const makeNext = (folder: string, dir: string, major: number): Host => {
  const installed = getInstalled(folder, "next", major)
  return {
    name: `Next.js ${installed.version}, built`,
    makeHarness: makeBuiltHarness(async () => {
      const makeNext: MakeNext = requireFrom(folder)("next")
      // The instance under test goes on meanwhile, as it does in a process of its own.
      const next = join(folder, "node_modules/next/dist/bin/next")
      await promisify(execFile)(process.execPath, [next, "build"], {
        cwd: dir,
        env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" }
      })
      const app = makeNext({ dev: false, dir })
      await app.prepare()
      return app.getRequestHandler()
    }),
    traits: {
      installed,
      // It always compresses, but what route handlers answer only in later versions:
      // https://github.com/vercel/next.js/issues/73695
      compression: major >= 16,
      malformedPathStatus: major < 16 ? 400 : 500,
      normalizesUrls: true,
      omitsContentLength: major >= 16
    }
  }
}
