import { createServer } from "node:http"
import { signalbox } from "@signalbox/node"
import { hostContract, listen } from "@signalbox/testing/contracts"

hostContract("node:http", ({ box, mounts }) => {
  const mount = mounts.join("")
  const ours = signalbox(box, { mount })
  return listen(
    createServer((request, response) => {
      response.setHeader("x-host", "here")
      ours(request, response, () => {
        if (request.url === `${mount}/own`) request.pipe(response)
        else response.writeHead(404).end()
      })
    })
  )
})
