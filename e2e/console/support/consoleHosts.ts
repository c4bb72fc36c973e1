/** The hosts that browser tests mount the console in. */
import { createServer } from "node:http"
import type { Signalbox } from "@signalbox/core"
import { type ActionGroup, type Console, consoleRoutes } from "@signalbox/console"
import { signalbox } from "@signalbox/express"
import express from "express"
import helmet from "helmet"
import { fastify5, type Host, toRunningHost } from "../../support/hosts.ts"

/** A router in an application with the headers that Helmet sets by default. */
const expressWithHelmet: Host = {
  name: "Express with Helmet",
  start: (mounted, mount) => {
    const app = express()
    app.use(helmet())
    app.use(express.json())
    const [, first = "", ...rest] = mount.split("/")
    const nested = express.Router()
    nested.use(`/${rest.join("/")}`, signalbox(mounted))
    app.use(`/${first}`, nested)
    return toRunningHost(createServer(app))
  }
}

export const browserHosts: ReadonlyArray<Host> = [expressWithHelmet, fastify5]

/** Where they mount it. */
export const consoleMount = "/ai/console"

/** What an operator may change at most. */
export const everyGroup: ReadonlyArray<ActionGroup> = [
  "budgets",
  "byok",
  "customers",
  "deliveries",
  "disableKeys",
  "experiments",
  "guardrails",
  "interns",
  "keys",
  "members",
  "playground",
  "replay",
  "traffic",
  "videos",
  "views",
  "webhooks"
]

/** The console as browser tests mount it: open to all, with actions and content. */
export const makeOpenConsole = (instance: Signalbox): Console =>
  consoleRoutes(instance, {
    authorize: () => ({ user: "operator" }),
    allow: everyGroup,
    showContent: true,
    signOutUrl: "/logout"
  })
