/** H3 on Node. */
import { createServer } from "node:http"
import { listen } from "@signalbox/testing/contracts"
import { signalbox } from "@signalbox/web"
import { H3 } from "h3"
import { toNodeHandler } from "h3/node"
import { getInstalled, type Host } from "./Host.ts"

export const h3: Host = {
  name: "H3 2 on Node",
  makeHarness: ({ instance, mounts }) => {
    const mount = mounts.join("")
    const ai = signalbox(instance, { mount })
    const app = new H3()
    app.use(({ res }) => {
      res.headers.set("x-host", "here")
      res.errHeaders.set("x-host", "here")
    })
    app.use(({ req }, next) => (ai.match(req) ? ai(req) : next()))
    app.post(`${mount}/own`, ({ req }) => req.body)
    return listen(createServer(toNodeHandler(app)))
  },
  traits: { installed: getInstalled("h3", 2), malformedPathStatus: 400 }
}
