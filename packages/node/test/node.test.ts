import { createServer } from "node:http"
import { signalbox } from "@signalbox/node"
import { hostContract, listen } from "@signalbox/testing/contracts"

hostContract(
  "node:http",
  ({ instance, mounts }) => {
    const mount = mounts.join("")
    const ours = signalbox(instance, { mount })
    return listen(
      createServer((request, response) => {
        response.setHeader("x-host", "here")
        Object.assign(request, { user: request.headers["x-user"] })
        ours(request, response, () => {
          if (request.url === `${mount}/own`) request.pipe(response)
          else response.writeHead(404).end()
        })
      })
    )
  },
  { findUser: (source) => Object(source).user }
)
