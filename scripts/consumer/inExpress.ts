/** A host on Express. */
import { once } from "node:events"
import { createServer } from "node:http"
import { signalbox } from "@signalbox/express"
import express from "express"
import { askOverHttp } from "./askOverHttp.ts"
import { makeBox } from "./makeBox.ts"

export const inExpress = async (): Promise<void> => {
  await using consumer = await makeBox()
  const app = express()
  app.use("/ai", signalbox(consumer.box))
  app.get("/mine", (_request, response) => {
    response.send("mine")
  })
  const server = createServer(app).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("no port")
  await askOverHttp(`http://127.0.0.1:${address.port}`)
  server.close()
  server.closeAllConnections()
}
