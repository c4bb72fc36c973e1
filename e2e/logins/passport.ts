/** Passport puts the user of its session into `request.user`. */
import { signalbox, Signalbox } from "@signalbox/express"
import express from "express"
import session from "express-session"
import passport from "passport"
import { Strategy } from "passport-local"

declare global {
  namespace Express {
    interface User {
      readonly id: string
    }
  }
}

const users = new Map([["ada", { id: "ada", password: "correct horse" }]])
passport.use(
  new Strategy((name, password, done) => {
    const user = users.get(name)
    done(null, user?.password === password ? user : false)
  })
)
passport.serializeUser((user, done) => done(null, user.id))
passport.deserializeUser((id: string, done) => done(null, users.get(id) ?? false))

const instance = await Signalbox.make({
  upstreams: [],
  models: [],
  authenticate: ({ source: { user } }) => user && { user: user.id }
})

const secret = process.env["SESSION_SECRET"] ?? "only for development"
const app = express()
app.use(session({ secret, resave: false, saveUninitialized: false, cookie: { sameSite: "lax" } }))
app.use(passport.session())
app.use("/ai", signalbox(instance)) // behind passport
app.post(
  "/login",
  express.urlencoded({ extended: false }),
  passport.authenticate("local"),
  (_request, response) => {
    response.sendStatus(204)
  }
)
app.listen(Number(process.env["PORT"] ?? 3000))
