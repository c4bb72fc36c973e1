/** A login for the console: one public password, and signed sessions. Replace it with the login of your application. */
import { createHmac, timingSafeEqual } from "node:crypto"
import type { Authorize } from "@signalbox/console"
import express, { type Router } from "express"

/** Public, like the keys of the example. */
export const password = "demo"

/** Signs sessions, so that they outlive a restart. Public, too: load yours from a secret store. */
const secret = "a public secret that protects nothing real"
const sessionMillis = 12 * 3_600_000

/** When it ends, in milliseconds since the epoch, and the signature of that. */
const makeSession = (end: number): string => `${end}.${sign(String(end))}`

const isSession = (session: string): boolean => {
  const [end = "", signature = ""] = session.split(".")
  const wanted = Buffer.from(sign(end))
  const found = Buffer.from(signature)
  return (
    wanted.length === found.length && timingSafeEqual(wanted, found) && Number(end) > Date.now()
  )
}

const sign = (text: string): string => createHmac("sha256", secret).update(text).digest("base64url")

/** The page with the form, and where the form goes. */
export const login: Router = express.Router()

login.get("/", (_request, response) => {
  response.send(toPage(""))
})

login.post("/", express.urlencoded({ extended: false }), (request, response) => {
  if (request.body?.password !== password) {
    response.status(401).send(toPage("That is not the password."))
    return
  }
  // Behind HTTPS, add `secure: true`.
  response
    .cookie("session", makeSession(Date.now() + sessionMillis), {
      httpOnly: true,
      sameSite: "strict"
    })
    .redirect(303, "/console/")
})

login.get("/end", (_request, response) => {
  response.clearCookie("session").redirect(303, "/login")
})

/** Who may open the console: your own check of a session goes here. */
export const authorize: Authorize = ({ headers, path }) => {
  const [, session = ""] = /(?:^|; *)session=([^;]+)/.exec(headers["cookie"] ?? "") ?? []
  if (isSession(session)) return { user: "demo-user" }
  // Data is refused; a page leads to the form.
  return path === "/" || path === ""
    ? new Response(null, { status: 303, headers: { location: "/login" } })
    : null
}

const toPage = (problem: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Log in</title>
<style>body { font: 1rem system-ui; max-width: 20rem; margin: 20vh auto; padding: 0 1rem }</style>
<h1>Log in</h1>
<form method="post">
  <label>Password (it is <code>${password}</code>)
    <input name="password" type="password" autocomplete="current-password" autofocus required>
  </label>
  <button>Log in</button>
  <p role="alert">${problem}</p>
</form>
</html>
`
