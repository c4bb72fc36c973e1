/** The pass-through on Express 5. */
import express from "express"
import { makeForward } from "../passThrough/makeForward.ts"
import { write } from "../passThrough/passThroughListener.ts"
import { reportToParent } from "./reportToParent.ts"

const forward = makeForward(`http://127.0.0.1:${process.env["UPSTREAM_PORT"]}`)
const app = express()
app.use(express.json())
app.post(["/api/alpha/decisions", "/api/v1/chat/completions"], (request, response) => {
  const passed = forward(request.path, request.headers.authorization, request.body)
  void passed.then(write(response))
})
const server = app.listen(0, "127.0.0.1", () => reportToParent(server.address()))
