/** The application on Express, with sessions of express-session. */
import { createServer } from "node:http"
import { signalbox, Signalbox } from "@signalbox/express"
import express from "express"
import session from "express-session"
import { toRunningHost } from "../../support/hosts.ts"
import {
  bundles,
  renderBill,
  type RunningShop,
  type ShopOptions,
  type Shopper,
  signUp,
  toCaller
} from "./Shop.ts"

declare module "express-session" {
  interface SessionData {
    shopper: Shopper
  }
}

export const startExpressShop = async (options: ShopOptions): Promise<RunningShop> => {
  const instance = await Signalbox.make({
    ...options,
    bundles,
    settings: { alertDelayMillis: 20 },
    authenticate: ({ source }) => {
      const { shopper } = source.session
      return shopper === undefined ? undefined : toCaller(shopper)
    }
  })
  await signUp(instance)
  const app = express()
  app.use(
    session({
      secret: "a secret of the test",
      resave: false,
      saveUninitialized: false,
      cookie: { sameSite: "lax" }
    })
  )
  app.use("/ai", signalbox(instance))
  app.post("/login", express.json(), (request, response) => {
    const { customer, name } = request.body
    request.session.shopper = { customer, name }
    response.sendStatus(204)
  })
  app.get("/billing", (request, response, next) => {
    const { shopper } = request.session
    if (shopper === undefined) return response.sendStatus(401)
    return renderBill(instance, shopper.customer).then((page) => response.send(page), next)
  })
  const host = await toRunningHost(createServer(app))
  return {
    origin: host.origin,
    instance,
    close: async () => {
      await host.close()
      await instance.close()
    }
  }
}
