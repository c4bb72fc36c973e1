/** A session of `express-session` says who a request is from. */
import { signalbox, Signalbox } from "@signalbox/express"
import express from "express"
import session from "express-session"

declare module "express-session" {
  interface SessionData {
    user: { readonly id: string; readonly team: string }
  }
}

const instance = await Signalbox.make({
  upstreams: [],
  models: [],
  authenticate: ({ source }) => {
    const { user } = source.session
    return user && { account: user.team, user: user.id }
  }
})

const app = express()
app.use(
  session({
    secret: process.env["SESSION_SECRET"] ?? "only for development",
    resave: false,
    saveUninitialized: false,
    cookie: { sameSite: "lax" } // behind HTTPS, add `secure: true`
  })
)
app.use("/ai", signalbox(instance)) // behind the session
app.post("/login", express.json(), (request, response) => {
  const { name, password } = request.body
  if (name !== "ada" || password !== "correct horse") return response.sendStatus(401)
  request.session.user = { id: "ada", team: "acme" }
  return response.sendStatus(204)
})
app.listen(Number(process.env["PORT"] ?? 3000))
