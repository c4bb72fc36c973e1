/** SvelteKit: a server route of an application that `vite build` has built for `@sveltejs/adapter-node`. */
import { execFile } from "node:child_process"
import type { RequestListener } from "node:http"
import { join } from "node:path"
import { promisify } from "node:util"
import { getInstalled, type Host } from "./Host.ts"
import { makeBuiltHarness } from "./makeBuiltHarness.ts"

/** `dir` has the application, and `folder` the packages. */
export const makeSveltekit = (folder: string, dir: string, major: number): Host => {
  const installed = getInstalled(folder, "@sveltejs/kit", major)
  return {
    name: `SvelteKit ${installed.version}, built`,
    makeHarness: makeBuiltHarness(async () => {
      const vite = join(folder, "node_modules/vite/bin/vite.js")
      await promisify(execFile)(process.execPath, [vite, "build"], { cwd: dir })
      // Read when the handler is loaded; the default would be half a megabyte.
      process.env["BODY_SIZE_LIMIT"] = "Infinity"
      const { handler }: { readonly handler: RequestListener } = await import(
        join(dir, "build/handler.js")
      )
      delete process.env["BODY_SIZE_LIMIT"]
      return handler
    }),
    traits: {
      installed,
      closesUnreadRequests: major < 3,
      dropsStalledRequests: true,
      malformedPathStatus: 400,
      // https://svelte.dev/docs/kit/configuration#csrf
      refusesForeignForms: true,
      rejectsInvalidHosts: true
    }
  }
}
