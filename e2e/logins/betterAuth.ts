/** Better Auth reads its session from the headers of a request. */
import { signalbox, Signalbox } from "@signalbox/express"
import { betterAuth } from "better-auth"
import { memoryAdapter } from "better-auth/adapters/memory"
import { fromNodeHeaders, toNodeHandler } from "better-auth/node"
import express from "express"

const port = Number(process.env["PORT"] ?? 3000)
const auth = betterAuth({
  baseURL: `http://127.0.0.1:${port}`,
  secret: process.env["BETTER_AUTH_SECRET"] ?? "only for development, not for production",
  database: memoryAdapter({ user: [], session: [], account: [], verification: [] }), // your database
  emailAndPassword: { enabled: true }
})

const instance = await Signalbox.make({
  upstreams: [],
  models: [],
  authenticate: async ({ source }) => {
    const session = await auth.api.getSession({ headers: fromNodeHeaders(source.headers) })
    return session && { user: session.user.id }
  }
})

const app = express()
app.all("/api/auth/*path", toNodeHandler(auth))
app.use("/ai", signalbox(instance))
app.listen(port)
