/** H3 on Node. */
import type { H3Event } from "h3"
import type * as H3Module from "h3"
import { createServer } from "node:http"
import { listen } from "@signalbox/testing/contracts"
import { signalbox } from "@signalbox/web"
import { getInstalled, type Host, requireFrom } from "./Host.ts"

export const makeH3 = (folder: string): Host => {
  // The types of the current version: what the tests use is the same in all.
  const { H3, toNodeHandler } = requireFrom(folder)("h3") as typeof H3Module
  const installed = getInstalled(folder, "h3", 2)
  return {
    name: `H3 ${installed.version} on Node`,
    makeHarness: ({ instance, mounts }) => {
      const mount = mounts.join("")
      const ai = signalbox(instance, { mount, toRequest: ({ req }: H3Event) => req })
      const app = new H3()
      app.use(({ res }) => {
        res.headers.set("x-host", "here")
        res.errHeaders.set("x-host", "here")
      })
      app.use((event, next) => {
        event.context["user"] = event.req.headers.get("x-user")
        return ai.match(event) ? ai(event) : next()
      })
      app.post(`${mount}/own`, ({ req }) => req.body)
      return listen(createServer(toNodeHandler(app)))
    },
    traits: {
      installed,
      malformedPathStatus: 400,
      findUser: (source) => Object(source).context.user
    }
  }
}
