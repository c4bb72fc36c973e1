/** The path names the tenant, and a session says whether the user belongs to it. */
import { signalbox, Signalbox } from "@signalbox/express"
import express from "express"
import session from "express-session"

declare module "express-session" {
  interface SessionData {
    member: { readonly id: string; readonly tenants: ReadonlyArray<string> }
  }
}

const instance = await Signalbox.make({
  upstreams: [],
  models: [],
  authenticate: ({ source }) => {
    const { member } = source.session
    const tenant = member?.tenants.find((name) => name === source.params["tenant"])
    return member && tenant ? { account: tenant, user: member.id } : undefined
  }
})

const secret = process.env["SESSION_SECRET"] ?? "only for development"
const app = express()
app.use(session({ secret, resave: false, saveUninitialized: false, cookie: { sameSite: "lax" } }))
app.use("/tenants/:tenant/ai", signalbox(instance))
app.post("/login", express.json(), (request, response) => {
  const { name, password } = request.body
  if (name !== "ada" || password !== "correct horse") return response.sendStatus(401)
  request.session.member = { id: "ada", tenants: ["acme", "initech"] }
  return response.sendStatus(204)
})
app.listen(Number(process.env["PORT"] ?? 3000))
