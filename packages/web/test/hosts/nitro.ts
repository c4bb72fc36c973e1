/** Nitro: a route of an application that `nitro build` has built for its preset `node-server`. */
import { execFile } from "node:child_process"
import diagnostics from "node:diagnostics_channel"
import { once } from "node:events"
import type { RequestListener, Server } from "node:http"
import { join } from "node:path"
import { promisify } from "node:util"
import { getInstalled, type Host } from "./Host.ts"
import { makeBuiltHarness } from "./makeBuiltHarness.ts"

/** `dir` has the application, and `folder` the packages. */
export const makeNitro = (folder: string, dir: string): Host => {
  const installed = getInstalled(folder, "nitro", 3)
  return {
    name: `Nitro ${installed.version}, built`,
    makeHarness: makeBuiltHarness(async () => {
      const cli = join(folder, "node_modules/nitro/dist/cli/index.mjs")
      await promisify(execFile)(process.execPath, [cli, "build"], { cwd: dir })
      // The program starts its server once, and each harness needs one, so theirs take over the listener.
      const server = await loadServer(join(dir, ".output/server/index.mjs"))
      if (!server.listening) await once(server, "listening")
      server.close()
      const [listener] = server.listeners("request")
      return listener as RequestListener
    }),
    traits: { installed, malformedPathStatus: 400 }
  }
}

/** The server that a program starts when it is loaded. */
const loadServer = async (program: string): Promise<Server> => {
  const started = Promise.withResolvers<Server>()
  const report = (message: unknown) => started.resolve(Object(message).server)
  diagnostics.subscribe("tracing:net.server.listen:asyncStart", report)
  process.env["NITRO_PORT"] = "0"
  try {
    await import(program)
    return await started.promise
  } finally {
    delete process.env["NITRO_PORT"]
    diagnostics.unsubscribe("tracing:net.server.listen:asyncStart", report)
  }
}
