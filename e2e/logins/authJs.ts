/** Auth.js reads its session from the request of Express. */
import { type ExpressAuthConfig, ExpressAuth, getSession } from "@auth/express"
import Credentials from "@auth/express/providers/credentials"
import { signalbox, Signalbox } from "@signalbox/express"
import express from "express"

const auth: ExpressAuthConfig = {
  basePath: "/auth",
  secret: process.env["AUTH_SECRET"] ?? "only for development",
  trustHost: true,
  providers: [
    Credentials({
      credentials: { name: {}, password: { type: "password" } },
      authorize: ({ name, password }) =>
        name === "ada" && password === "correct horse" ? { email: "ada@acme.example" } : null
    })
  ]
}

const instance = await Signalbox.make({
  upstreams: [],
  models: [],
  authenticate: async ({ source }) => {
    const email = (await getSession(source, auth))?.user?.email
    return email ? { user: email } : undefined
  }
})

const app = express()
app.use("/ai", signalbox(instance))
app.use(/^\/auth\/(.*)/, ExpressAuth(auth))
app.listen(Number(process.env["PORT"] ?? 3000))
